"""dramatiq at work: add NAME, retry NAME, work."""

import os
import sys
import threading

import dramatiq
import shop
from dramatiq.brokers.redis import RedisBroker

queue = os.environ["QUEUE"]
broker = RedisBroker(url=os.environ["URL"])
dramatiq.set_broker(broker)
dead = f"dramatiq:{queue}.XQ"


@dramatiq.actor(queue_name=queue, max_retries=1, min_backoff=1, max_backoff=2)
def charge(name):
    shop.charge(name)


def messages():
    found = broker.client.hgetall(dead + ".msgs").items()
    return [(key, dramatiq.Message.decode(value)) for key, value in found]


verb, name = sys.argv[1], sys.argv[-1]

if verb == "add":
    charge.send(name)
elif verb == "retry":
    for key, message in messages():
        if message.args[0] == name:
            broker.client.zrem(dead, key)
            broker.client.hdel(dead + ".msgs", key)
            broker.enqueue(message)
else:
    dramatiq.Worker(broker, worker_threads=1, worker_timeout=50).start()
    threading.Event().wait()
