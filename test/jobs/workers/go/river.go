package main

import (
	"context"
	"io"
	"log/slog"
	"os"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivermigrate"
)

type chargeArgs struct {
	Name string `json:"name"`
}

func (chargeArgs) Kind() string { return "charge" }

type chargeWorker struct {
	river.WorkerDefaults[chargeArgs]
}

func (*chargeWorker) Work(_ context.Context, job *river.Job[chargeArgs]) error {
	return charge(job.Args.Name)
}

type riverShop struct {
	pool   *pgxpool.Pool
	client *river.Client[pgx.Tx]
	queue  string
}

func openRiver(ctx context.Context) (framework, error) {
	pool, err := pgxpool.New(ctx, os.Getenv("URL"))
	if err != nil {
		return nil, err
	}
	driver := riverpgxv5.New(pool)
	migrator, err := rivermigrate.New(driver, nil)
	if err != nil {
		return nil, err
	}
	if _, err := migrator.Migrate(ctx, rivermigrate.DirectionUp, nil); err != nil {
		return nil, err
	}
	queue := os.Getenv("QUEUE")
	workers := river.NewWorkers()
	river.AddWorker(workers, &chargeWorker{})
	client, err := river.NewClient(driver, &river.Config{
		FetchPollInterval: 100 * time.Millisecond,
		Logger:            slog.New(slog.NewTextHandler(io.Discard, nil)),
		Queues:            map[string]river.QueueConfig{queue: {MaxWorkers: 1}},
		Workers:           workers,
	})
	return riverShop{pool: pool, client: client, queue: queue}, err
}

func (shop riverShop) add(ctx context.Context, name string) error {
	_, err := shop.client.Insert(ctx, chargeArgs{Name: name}, &river.InsertOpts{MaxAttempts: 1, Queue: shop.queue})
	return err
}

func (shop riverShop) retry(ctx context.Context, name string) error {
	var id int64
	query := "select id from river_job where args ->> 'name' = $1"
	if err := shop.pool.QueryRow(ctx, query, name).Scan(&id); err != nil {
		return err
	}
	_, err := shop.client.JobRetry(ctx, id)
	return err
}

func (shop riverShop) work(ctx context.Context) error {
	if err := shop.client.Start(ctx); err != nil {
		return err
	}
	select {}
}
