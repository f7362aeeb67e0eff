/** The brokers there are, as the configuration spells them. */
const messageBrokers = ["rabbitmq", "kafka", "sqs", "nats", "redis", "postgres"] as const;

/** Job frameworks whose failed jobs are read where they are, and put back there. */
export const jobFrameworks = [
  "bullmq",
  "sidekiq",
  "rq",
  "asynq",
  "dramatiq",
  "pg-boss",
  "river",
  "graphile-worker",
  "laravel",
  "symfony-messenger",
] as const;

export const brokers = [...messageBrokers, ...jobFrameworks] as const;

export type Broker = (typeof brokers)[number];
export type JobFrameworkName = (typeof jobFrameworks)[number];

/** Its dead letters stay where they are when they are read. */
export function isReadInPlace(broker: Broker): broker is JobFrameworkName {
  return (jobFrameworks as readonly Broker[]).includes(broker);
}
