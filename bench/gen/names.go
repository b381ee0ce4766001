package gen

import "math/rand/v2"

// The vocabulary of the generated events: names as a browser or a game engine
// would give.
var (
	classes = []string{
		"AnimationHost", "BlobStorage", "BufferQueue", "CacheBackend", "CanvasRenderer", "ChannelPosix", "Compositor", "CookieStore",
		"DecoderPool", "DisplayList", "DocumentLoader", "EventLoop", "FontCache", "FrameScheduler", "GarbageCollector", "GlyphAtlas",
		"HitTester", "HttpStream", "ImageDecoder", "IndexedStore", "InputRouter", "IsolateHeap", "LayerTree", "LayoutEngine",
		"MediaPipeline", "MessagePump", "NetworkDelegate", "PaintController", "ParkableString", "PhysicsWorld", "RasterWorker", "RenderPass",
		"ResourceFetcher", "SceneGraph", "ScriptStreamer", "ServiceRegistry", "ShaderCompiler", "SocketPool", "StyleResolver", "SwapChain",
		"TaskQueue", "TextShaper", "TextureUploader", "TileManager", "TimerWheel", "UserTiming", "VideoFrame", "WorkerThread",
	}
	methods = []string{
		"Acquire", "Advance", "Allocate", "Apply", "Begin", "Bind", "Collect", "Commit", "Compile", "Compute", "CopyOut", "Create",
		"Decode", "DidFinish", "DidReceiveData", "Dispatch", "Draw", "Encode", "Evict", "Fetch", "Finalize", "Flush", "HandleInput", "Invalidate",
		"Lock", "Mark", "Merge", "MoveToBack", "Notify", "OnTimer", "Parse", "Poll", "Post", "Prepare", "Present", "Recalculate",
		"Release", "Resolve", "Run", "Schedule", "Serialize", "Sort", "Start", "Stop", "Submit", "Sweep", "Tick", "Update",
		"Upload", "Validate", "Visit", "Wait", "Wake", "WillBegin", "Write", "Yield", "Snapshot", "Rebuild", "Prune", "Rebalance",
	}
	categories = []string{
		"toplevel", "ipc", "blink", "cc", "gpu", "net", "disk", "media", "input", "layout", "paint", "raster", "script", "gc", "style",
		"loading", "audio", "video", "physics", "scene", "navigation", "storage", "worker", "sched", "user_timing",
		"cc,benchmark", "toplevel,flow", "blink,devtools.timeline", "gpu,debug", "net,netlog",
	}
	hosts = []string{
		"https://example.org/", "https://cdn.example.net/assets/", "https://static.example.com/js/vendor/", "wss://push.example.org/v2/",
	}
	files = []string{
		"app", "main", "vendor", "polyfills", "chunk", "styles", "runtime", "sprite", "hero", "icons", "worker", "index", "feed", "search",
	}
	details = []string{
		"idle", "cache hit", "cache miss", "tile 3 of 16", "waiting for a fence",
		"low memory: 41 entries dropped", "deferred", "merged with the pending commit", "ok",
	}
)

// name is one name that slices can have; a name always has the same category,
// as it comes from one place in a program.
type name struct{ text, category string }

// vocabulary picks names with skewed frequencies: of its thousands of names a
// few make up most of a file, as in real ones.
type vocabulary struct {
	names []name
	pick  []uint16 // drawn evenly; names stand in it by frequency
}

func newVocabulary(rng *rand.Rand) *vocabulary {
	v := &vocabulary{names: make([]name, 0, len(classes)*len(methods)), pick: make([]uint16, 1<<16)}
	for _, c := range classes {
		for _, m := range methods {
			v.names = append(v.names, name{c + "::" + m, categories[rng.IntN(len(categories))]})
		}
	}
	rng.Shuffle(len(v.names), func(i, j int) { v.names[i], v.names[j] = v.names[j], v.names[i] })
	zipf := rand.NewZipf(rng, 1.1, 8, uint64(len(v.names)-1))
	for i := range v.pick {
		v.pick[i] = uint16(zipf.Uint64())
	}
	return v
}

func (v *vocabulary) draw(rng *rand.Rand) *name {
	return &v.names[v.pick[rng.Uint64()&(1<<16-1)]]
}
