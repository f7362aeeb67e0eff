"""RQ at work: add NAME, retry NAME, work."""

import os
import sys

from redis import Redis
from rq import Queue, SimpleWorker
from rq.registry import FailedJobRegistry
from shop import charge

connection = Redis.from_url(os.environ["URL"])
queue = Queue(os.environ["QUEUE"], connection=connection)
failed = FailedJobRegistry(queue=queue)
verb, name = sys.argv[1], sys.argv[-1]

if verb == "add":
    queue.enqueue(charge, name, job_id=name)
elif verb == "retry":
    failed.requeue(name)
else:
    SimpleWorker([queue], connection=connection).work(logging_level="CRITICAL")
