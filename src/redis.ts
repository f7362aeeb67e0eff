/** The door to Redis: `dead-letter-office/redis`. Needs the package `ioredis`. */
export type { RedisArgument, RedisCommands } from "./domain/redis.ts";
export { redisInbox } from "./stores/redis-inbox.ts";
export { redisSharedState } from "./stores/redis-shared-state.ts";
export { type RedisStoreOptions, redisStoreDefaults } from "./stores/redis-store.ts";
export { type RedisTransportOptions, redisTransport, redisTransportDefaults } from "./transports/redis/transport.ts";
