"""Celery at work on RabbitMQ, with a queue whose dead letters go to another: add NAME, work."""

import os
import sys

import shop
from celery import Celery
from celery.exceptions import Reject
from kombu import Exchange, Queue

name = os.environ["QUEUE"]
app = Celery(broker=os.environ["URL"])
dead = {"x-dead-letter-exchange": "", "x-dead-letter-routing-key": name + ".dead"}
app.conf.task_queues = [Queue(name, Exchange(""), routing_key=name, queue_arguments=dead)]
app.conf.task_default_queue = name
app.conf.worker_hijack_root_logger = False


@app.task(name="shop.charge", acks_late=True, ignore_result=True)
def charge(order):
    try:
        shop.charge(order)
    except OSError as error:
        raise Reject(error, requeue=False)


if sys.argv[1] == "add":
    charge.apply_async([sys.argv[2]], queue=name, routing_key=name, exchange="")
else:
    app.worker_main(["worker", "--pool=solo", "--loglevel=CRITICAL", "--without-gossip", "--without-mingle", "--without-heartbeat"])
