package main

import (
	"context"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"
)

// interrupts decides what Ctrl-C stops: the whole program, or, in the prompt,
// only the statement that runs.
var interrupts struct {
	mu      sync.Mutex
	inner   context.CancelFunc // if not nil: stops just this
	cleanup map[int]func()     // what must not stay behind
	next    int
	signal  os.Signal // what the program was asked to end by; nil before
}

// patience is how long work may take to stop by itself after the first Ctrl-C.
// It takes milliseconds; this is for the case that something hangs.
const patience = 2 * time.Second

// onInterrupt returns a context that ends at Ctrl-C. Work that does not look at
// it in time is left where it is: the program cleans up and exits.
func onInterrupt(parent context.Context) (ctx context.Context, stop func()) {
	ctx, cancel := context.WithCancel(parent)
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		for {
			select {
			case <-ctx.Done():
				return
			case sig := <-signals:
				interrupts.mu.Lock()
				inner := interrupts.inner
				if inner == nil || sig != os.Interrupt {
					interrupts.signal, inner = sig, nil
				}
				interrupts.mu.Unlock()
				if inner != nil {
					inner()
					continue
				}
				cancel()
				select {
				case <-signals: // a second time: no patience
				case <-time.After(patience):
				}
				cleanUp()
				os.Exit(interruptedCode())
			}
		}
	}()
	return ctx, func() { signal.Stop(signals); cancel() }
}

// interruptedCode is the exit code of a program that a signal ended, as shells
// have it.
func interruptedCode() int {
	interrupts.mu.Lock()
	defer interrupts.mu.Unlock()
	if interrupts.signal == syscall.SIGTERM {
		return exitTerminated
	}
	return exitInterrupted
}

// interruptible runs f so that Ctrl-C ends its context and nothing else.
func interruptible(ctx context.Context, f func(context.Context) error) error {
	inner, cancel := context.WithCancel(ctx)
	defer cancel()
	defer onlyStops(cancel)()
	return f(inner)
}

// holdInterrupts has Ctrl-C stop nothing until the function that it returns is
// called: at a prompt it may come just before or after a statement.
func holdInterrupts() (release func()) { return onlyStops(func() {}) }

// onlyStops has Ctrl-C call f instead of ending the program, until the function
// that it returns is called.
func onlyStops(f context.CancelFunc) (restore func()) {
	set := func(f context.CancelFunc) (before context.CancelFunc) {
		interrupts.mu.Lock()
		defer interrupts.mu.Unlock()
		before, interrupts.inner = interrupts.inner, f
		return before
	}
	before := set(f)
	return func() { set(before) }
}

// onExit registers what is to be done if the program is interrupted, until the
// function that it returns is called.
func onExit(f func()) (forget func()) {
	interrupts.mu.Lock()
	defer interrupts.mu.Unlock()
	if interrupts.cleanup == nil {
		interrupts.cleanup = map[int]func(){}
	}
	id := interrupts.next
	interrupts.next++
	interrupts.cleanup[id] = f
	return func() {
		interrupts.mu.Lock()
		defer interrupts.mu.Unlock()
		delete(interrupts.cleanup, id)
	}
}

func cleanUp() {
	interrupts.mu.Lock()
	defer interrupts.mu.Unlock()
	for _, f := range interrupts.cleanup {
		f()
	}
}
