<?php

/** Laravel's queue at work: add NAME, retry NAME, work. */

require 'Illuminate/autoload.php';
require __DIR__ . '/shop.php';

use Illuminate\Bus\Queueable;
use Illuminate\Container\Container;
use Illuminate\Contracts\Debug\ExceptionHandler;
use Illuminate\Contracts\Queue\ShouldQueue;
use Illuminate\Database\Capsule\Manager as Database;
use Illuminate\Events\Dispatcher;
use Illuminate\Queue\Capsule\Manager as Queues;
use Illuminate\Queue\Connectors\DatabaseConnector;
use Illuminate\Queue\Events\JobFailed;
use Illuminate\Queue\Failed\DatabaseUuidFailedJobProvider;
use Illuminate\Queue\InteractsWithQueue;
use Illuminate\Queue\Worker;
use Illuminate\Queue\WorkerOptions;

class Charge implements ShouldQueue
{
    use InteractsWithQueue, Queueable;

    public $tries = 2;

    public function __construct(public string $order)
    {
    }

    public function handle(): void
    {
        charge($this->order);
    }
}

/** Tells nobody. */
class Silent implements ExceptionHandler
{
    public function report(Throwable $e)
    {
    }

    public function shouldReport(Throwable $e)
    {
        return false;
    }

    public function render($request, Throwable $e)
    {
    }

    public function renderForConsole($output, Throwable $e)
    {
    }
}

$container = Container::getInstance();
$container->instance(Illuminate\Contracts\Container\Container::class, $container);
$container->instance('events', $events = new Dispatcher($container));
$container->instance(Illuminate\Contracts\Events\Dispatcher::class, $events);
$container->bind(Illuminate\Contracts\Bus\Dispatcher::class, fn () => new Illuminate\Bus\Dispatcher($container));

$database = new Database($container);
$database->addConnection(['driver' => 'pgsql', 'charset' => 'utf8', 'prefix' => '', 'schema' => 'public'] + database());
$database->setAsGlobal();

$queue = getenv('QUEUE');
$queues = new Queues($container);
$queues->addConnection(['driver' => 'database', 'table' => 'jobs', 'queue' => $queue, 'retry_after' => 60], 'database');
$manager = $queues->getQueueManager();
$manager->setDefaultDriver('database');
$manager->addConnector('database', fn () => new DatabaseConnector($database->getDatabaseManager()));
$failed = new DatabaseUuidFailedJobProvider($database->getDatabaseManager(), 'default', 'failed_jobs');

$events->listen(JobFailed::class, function (JobFailed $event) use ($failed) {
    $failed->log($event->connectionName, $event->job->getQueue(), $event->job->getRawBody(), $event->exception);
});

$name = $argv[2] ?? '';
switch ($argv[1]) {
    case 'add':
        $manager->connection()->push(new Charge($name), '', $queue);
        break;
    case 'retry':
        foreach ($failed->all() as $row) {
            if (!str_contains($row->payload, "\\\"$name\\\"")) {
                continue;
            }
            $manager->connection($row->connection)->pushRaw($row->payload, $row->queue);
            $failed->forget($row->id);
        }
        break;
    default:
        $worker = new Worker($manager, $events, new Silent(), fn () => false);
        $worker->daemon('database', $queue, new WorkerOptions(sleep: 0.1, maxTries: 0));
}
