/** The door to Redis: `dead-letter-office/redis`. Needs the package `ioredis`. */
export { type RedisTransportOptions, redisTransport, redisTransportDefaults } from "./transports/redis/transport.ts";
