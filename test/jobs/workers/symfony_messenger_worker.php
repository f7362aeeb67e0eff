<?php

/** Symfony Messenger at work, with transports of Doctrine and the serializer for JSON: add NAME, retry NAME, work. */

foreach (['Messenger', 'Messenger/Bridge/Doctrine', 'Serializer', 'PropertyAccess', 'EventDispatcher'] as $component) {
    require "Symfony/Component/$component/autoload.php";
}
require 'Doctrine/DBAL/autoload.php';
require __DIR__ . '/shop.php';

use Doctrine\DBAL\DriverManager;
use Symfony\Component\EventDispatcher\EventDispatcher;
use Symfony\Component\Messenger\Bridge\Doctrine\Transport\Connection;
use Symfony\Component\Messenger\Bridge\Doctrine\Transport\DoctrineTransport;
use Symfony\Component\Messenger\Envelope;
use Symfony\Component\Messenger\EventListener\SendFailedMessageForRetryListener;
use Symfony\Component\Messenger\EventListener\SendFailedMessageToFailureTransportListener;
use Symfony\Component\Messenger\EventListener\AddErrorDetailsStampListener;
use Symfony\Component\Messenger\EventListener\StopWorkerOnMessageLimitListener;
use Symfony\Component\Messenger\Handler\HandlersLocator;
use Symfony\Component\Messenger\MessageBus;
use Symfony\Component\Messenger\Middleware\HandleMessageMiddleware;
use Symfony\Component\Messenger\Retry\MultiplierRetryStrategy;
use Symfony\Component\Messenger\Transport\Receiver\SingleMessageReceiver;
use Symfony\Component\Messenger\Transport\Serialization\Serializer;
use Symfony\Component\Messenger\Worker;

class Charge
{
    public string $order = '';
}

/** Services by name, as the listeners want them. */
class Services implements Psr\Container\ContainerInterface
{
    public function __construct(private array $services)
    {
    }

    public function get(string $id)
    {
        return $this->services[$id];
    }

    public function has(string $id): bool
    {
        return isset($this->services[$id]);
    }
}

$parts = database();
$connection = DriverManager::getConnection([
    'driver' => 'pdo_pgsql', 'host' => $parts['host'], 'port' => $parts['port'], 'dbname' => $parts['database'],
    'user' => $parts['username'], 'password' => $parts['password'],
]);
$transport = fn (string $queue) => new DoctrineTransport(
    new Connection(['queue_name' => $queue, 'auto_setup' => true, 'table_name' => 'messenger_messages'], $connection),
    Serializer::create(),
);
$async = $transport('default');
$failed = $transport('failed');

$bus = new MessageBus([new HandleMessageMiddleware(new HandlersLocator([
    Charge::class => [fn (Charge $message) => charge($message->order)],
]))]);

$name = $argv[2] ?? '';
switch ($argv[1]) {
    case 'add':
        $message = new Charge();
        $message->order = $name;
        $async->send(new Envelope($message));
        break;
    default:
        $events = new EventDispatcher();
        $senders = new Services(['async' => $async, 'failed' => $failed]);
        $retries = new Services(['async' => new MultiplierRetryStrategy(1, 1), 'failed' => new MultiplierRetryStrategy(3, 1)]);
        $events->addSubscriber(new AddErrorDetailsStampListener());
        $events->addSubscriber(new SendFailedMessageForRetryListener($senders, $retries));
        $events->addSubscriber(new SendFailedMessageToFailureTransportListener(new Services(['async' => $failed])));
        if ($argv[1] === 'work') {
            (new Worker(['async' => $async], $bus, $events))->run(['sleep' => 50000]);
            break;
        }
        // As messenger:failed:retry: handled where it is, and among the failed again if that fails.
        $events->addSubscriber(new StopWorkerOnMessageLimitListener(1));
        foreach ($failed->all() as $envelope) {
            if ($envelope->getMessage()->order === $name) {
                (new Worker(['failed' => new SingleMessageReceiver($failed, $envelope)], $bus, $events))->run();
                break;
            }
        }
}
