import {
  type BeforeApplicationShutdown,
  Body,
  Controller,
  Get,
  Inject,
  Module,
  type OnApplicationBootstrap,
  Param,
  Post,
} from "@nestjs/common";
import { type Consumer, createConsumer, makeMessage, type Transport, Unprocessable } from "dead-letter-office";
import {
  createOutboxRelay,
  type Database,
  migrate,
  outbox,
  pgDatabase,
  postgresInbox,
} from "dead-letter-office/postgres";
import { rabbitmqTransport } from "dead-letter-office/rabbitmq";
import pg from "pg";

interface Order {
  readonly id: number;
  readonly cents: number;
}

/** Places orders: each is written together with the message that tells of it, or neither is. */
class Orders {
  readonly #database: Database<pg.PoolClient>;
  readonly #outbox = outbox();

  constructor(pool: pg.Pool) {
    this.#database = pgDatabase(pool);
  }

  async place(cents: number): Promise<Order | undefined> {
    return this.#database.transaction(async (tx) => {
      const { rows } = await tx.query<Order>("insert into orders (cents) values ($1) returning id, cents", [cents]);
      await this.#outbox.add(tx.client, { to: "orders", message: makeMessage({ body: JSON.stringify(rows[0]) }) });
      return rows[0];
    });
  }

  async find(id: number): Promise<Order | undefined> {
    return (await this.#database.query<Order>("select id, cents, state from orders where id = $1", [id])).rows[0];
  }
}

/** Charges orders, from when the application has started until it is asked to shut down. */
class OrdersWorker implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly #pool: pg.Pool;
  readonly #transport: Transport;
  readonly #relay;
  readonly #consumer: Consumer;

  constructor(pool: pg.Pool, transport: Transport) {
    const database = pgDatabase(pool);
    this.#pool = pool;
    this.#transport = transport;
    this.#relay = createOutboxRelay({ database, transport });
    this.#consumer = createConsumer({
      transport,
      queue: "orders",
      inbox: { store: postgresInbox({ database }) },
      retry: { backoff: { strategy: "exponential", initialMs: 200 } },
      handler: async ({ payload, attempt, tx }) => {
        const { id, cents } = payload as Order;
        if (cents <= 0) throw new Unprocessable("an order must cost something");
        // A bank that is away whenever it is asked for the first time.
        if (attempt === 1) throw Object.assign(new Error("the bank is away"), { code: "ECONNREFUSED" });
        await tx.query("update orders set state = 'charged' where id = $1", [id]);
      },
    });
  }

  onApplicationBootstrap(): void {
    // They run until they are stopped. What no waiting cures rejects, and ends the process, for a supervisor to see.
    void this.#relay.start();
    void this.#consumer.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all([this.#relay.stop(), this.#consumer.stop()]);
    await this.#transport.close();
    await this.#pool.end();
  }
}

class OrdersController {
  readonly #orders: Orders;

  constructor(orders: Orders) {
    this.#orders = orders;
  }

  place({ cents }: { readonly cents: number }): Promise<Order | undefined> {
    return this.#orders.place(cents);
  }

  find(id: string): Promise<Order | undefined> {
    return this.#orders.find(Number(id));
  }
}

async function openPool(): Promise<pg.Pool> {
  const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 20 });
  await migrate({ database: pgDatabase(pool, { listener: false }) });
  await pool.query(
    "create table if not exists orders (id serial primary key, cents integer, state text not null default 'placed')",
  );
  return pool;
}

const transport = Symbol("transport");

export class OrdersModule {}

/*
 * Decorators as the calls they are: Node runs TypeScript by leaving the types out, and decorators are more than types.
 * Where your build knows them, write `@Controller("orders")`, `@Post()` and `@Body()` in their places above.
 */
Controller("orders")(OrdersController);
Inject(Orders)(OrdersController, undefined, 0);
Post()(OrdersController.prototype, "place", methodOf("place"));
Body()(OrdersController.prototype, "place", 0);
Get(":id")(OrdersController.prototype, "find", methodOf("find"));
Param("id")(OrdersController.prototype, "find", 0);

Module({
  controllers: [OrdersController],
  providers: [
    { provide: pg.Pool, useFactory: openPool },
    {
      provide: transport,
      useFactory: () => rabbitmqTransport({ url: process.env.RABBITMQ_URL ?? "amqp://localhost" }),
    },
    { provide: Orders, useFactory: (pool: pg.Pool) => new Orders(pool), inject: [pg.Pool] },
    {
      provide: OrdersWorker,
      useFactory: (pool: pg.Pool, broker: Transport) => new OrdersWorker(pool, broker),
      inject: [pg.Pool, transport],
    },
  ],
})(OrdersModule);

function methodOf(name: keyof OrdersController): PropertyDescriptor {
  return Object.getOwnPropertyDescriptor(OrdersController.prototype, name) as PropertyDescriptor;
}
