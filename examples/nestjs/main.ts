/** A shop as a Nest application: orders come in over HTTP, go through the outbox to RabbitMQ, and are charged there. */
import { NestFactory } from "@nestjs/core";
import { FastifyAdapter, type NestFastifyApplication } from "@nestjs/platform-fastify";
import { OrdersModule } from "./orders.ts";

const app = await NestFactory.create<NestFastifyApplication>(OrdersModule, new FastifyAdapter(), {
  logger: ["warn", "error"],
});
// Without it Nest ends without asking the worker to finish what it has begun.
app.enableShutdownHooks(["SIGTERM", "SIGINT"], { useProcessExit: true });
await app.listen(Number(process.env.PORT ?? 0), "127.0.0.1");
console.log(`listening on ${await app.getUrl()}`);
