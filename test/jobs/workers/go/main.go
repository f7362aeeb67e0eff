// Frameworks in Go at work: asynq or river, and then add NAME, retry NAME or work.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

type framework interface {
	add(ctx context.Context, name string) error
	retry(ctx context.Context, name string) error
	work(ctx context.Context) error
}

var errRefused = errors.New("charge: dial tcp 10.0.0.7:443: connect: connection refused")

// What a job does: it charges somebody, while the shop is up.
func charge(name string) error {
	shop := os.Getenv("SHOP")
	if _, err := os.Stat(filepath.Join(shop, "up")); err != nil {
		return errRefused
	}
	done, err := os.OpenFile(filepath.Join(shop, "done"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer done.Close()
	_, err = fmt.Fprintln(done, name)
	return err
}

func open(ctx context.Context, name string) (framework, error) {
	if name == "river" {
		return openRiver(ctx)
	}
	return openAsynq()
}

func run(ctx context.Context, args []string) error {
	opened, err := open(ctx, args[0])
	if err != nil {
		return err
	}
	name := args[len(args)-1]
	switch args[1] {
	case "add":
		return opened.add(ctx, name)
	case "retry":
		return opened.retry(ctx, name)
	}
	return opened.work(ctx)
}

func main() {
	if err := run(context.Background(), os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
