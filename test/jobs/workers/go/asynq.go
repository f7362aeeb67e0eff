package main

import (
	"context"
	"os"

	"github.com/hibiken/asynq"
)

type asynqShop struct {
	redis asynq.RedisConnOpt
	queue string
}

func openAsynq() (framework, error) {
	redis, err := asynq.ParseRedisURI(os.Getenv("URL"))
	return asynqShop{redis: redis, queue: os.Getenv("QUEUE")}, err
}

func (shop asynqShop) add(_ context.Context, name string) error {
	client := asynq.NewClient(shop.redis)
	defer client.Close()
	task := asynq.NewTask("charge", []byte(name))
	_, err := client.Enqueue(task, asynq.TaskID(name), asynq.Queue(shop.queue), asynq.MaxRetry(0))
	return err
}

func (shop asynqShop) retry(_ context.Context, name string) error {
	return asynq.NewInspector(shop.redis).RunTask(shop.queue, name)
}

func (shop asynqShop) work(context.Context) error {
	config := asynq.Config{Concurrency: 1, Queues: map[string]int{shop.queue: 1}, LogLevel: asynq.FatalLevel}
	handler := func(_ context.Context, task *asynq.Task) error { return charge(string(task.Payload())) }
	return asynq.NewServer(shop.redis, config).Run(asynq.HandlerFunc(handler))
}
