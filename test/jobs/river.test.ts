import { it } from "vitest";
import { noPostgres } from "../servers/postgres.ts";
import { usePostgres } from "../servers/use-postgres.ts";
import { tellJobStory } from "./job-story.ts";
import { describeFramework, openProcessWorkshop } from "./process-workshop.ts";
import { programs } from "./programs.ts";

describeFramework("failed jobs of River", programs.river, noPostgres, () => {
  const postgres = usePostgres();

  it("are read in place, put back, and run", async () => {
    const { url, pool } = postgres;
    const failed = async () => {
      const query = "select args ->> 'name' as name from river_job where state = 'discarded'";
      return (await pool.query<{ name: string }>(query)).rows.map(({ name }) => name);
    };
    const shop = openProcessWorkshop({ program: programs.river, broker: "river", url, queue: "default", failed });
    await tellJobStory(shop, postgres, "river_ledger");
  });
});
