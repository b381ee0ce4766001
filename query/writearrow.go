package query

import (
	"bufio"
	"fmt"
	"strconv"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/decimal128"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

// arrowBatch is how many rows a record batch holds.
const arrowBatch = 1 << 16

// writeArrow writes an Arrow IPC file (Feather version 2). Integers, reals,
// booleans, decimals and bytes keep their types; all else is text.
func writeArrow(b *bufio.Writer, rows *Rows) error {
	names := uniqueNames(rows.Columns())
	if len(names) == 0 {
		return &Error{Message: "the statement has no result to write"}
	}
	fields := make([]arrow.Field, len(names))
	for i, c := range rows.Columns() {
		fields[i] = arrow.Field{Name: names[i], Type: arrowType(c.Type), Nullable: true}
	}
	schema := arrow.NewSchema(fields, nil)
	w, err := ipc.NewFileWriter(b, ipc.WithSchema(schema))
	if err != nil {
		return err
	}
	builder := array.NewRecordBuilder(memory.DefaultAllocator, schema)
	defer builder.Release()
	flush := func() error {
		batch := builder.NewRecordBatch()
		defer batch.Release()
		return w.Write(batch)
	}
	n := 0
	for rows.Next() {
		for i := range fields {
			if err := appendArrow(builder.Field(i), rows.Value(i)); err != nil {
				return fmt.Errorf("column %s: %w", names[i], err)
			}
		}
		if n++; n%arrowBatch == 0 {
			if err := flush(); err != nil {
				return err
			}
		}
	}
	if rows.Err() != nil {
		return rows.Err()
	}
	if n == 0 || n%arrowBatch != 0 {
		if err := flush(); err != nil {
			return err
		}
	}
	return w.Close()
}

func arrowType(name string) arrow.DataType {
	switch name {
	case "TINYINT", "SMALLINT", "INTEGER", "BIGINT", "UTINYINT", "USMALLINT", "UINTEGER":
		return arrow.PrimitiveTypes.Int64
	case "UBIGINT":
		return arrow.PrimitiveTypes.Uint64
	case "FLOAT", "DOUBLE":
		return arrow.PrimitiveTypes.Float64
	case "BOOLEAN":
		return arrow.FixedWidthTypes.Boolean
	case "BLOB":
		return arrow.BinaryTypes.Binary
	case "HUGEINT":
		return &arrow.Decimal128Type{Precision: 38}
	}
	var precision, scale int32
	if n, _ := fmt.Sscanf(name, "DECIMAL(%d,%d)", &precision, &scale); n == 2 {
		return &arrow.Decimal128Type{Precision: precision, Scale: scale}
	}
	return arrow.BinaryTypes.String
}

func appendArrow(b array.Builder, v Value) error {
	if v.Kind == KindNull {
		b.AppendNull()
		return nil
	}
	switch b := b.(type) {
	case *array.Int64Builder:
		b.Append(v.Int)
	case *array.Uint64Builder:
		u := uint64(v.Int)
		if v.Kind == KindNumber {
			var err error
			if u, err = strconv.ParseUint(string(v.Text), 10, 64); err != nil {
				return err
			}
		}
		b.Append(u)
	case *array.Float64Builder:
		b.Append(v.Real)
	case *array.BooleanBuilder:
		b.Append(v.Int != 0)
	case *array.BinaryBuilder:
		b.Append(v.Text)
	case *array.Decimal128Builder:
		t := b.Type().(*arrow.Decimal128Type)
		digits := strings.Replace(string(v.AppendText(nil)), ".", "", 1)
		n, err := decimal128.FromString(digits, 38, 0)
		if err != nil {
			return fmt.Errorf("%s has more than the %d digits that Arrow's decimals have", digits, t.Precision)
		}
		b.Append(n)
	case *array.StringBuilder:
		b.Append(string(v.AppendText(nil)))
	default:
		return fmt.Errorf("no way to write %T", b)
	}
	return nil
}
