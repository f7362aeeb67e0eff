import { afterAll, describe, expect, it } from "vitest";
import { readPages } from "../documents/pages.ts";
import { programsOf } from "../documents/programs.ts";
import { Workshop } from "../documents/workshop.ts";

describe("code of the documents that starts a database", () => {
  const workshop = new Workshop();
  const programs = readPages().flatMap(programsOf);
  workshop.write(programs);
  afterAll(() => workshop.clear());

  it.each(programs.filter(({ runs }) => runs === "with a database"))(
    "runs and prints what the page shows: $name",
    async (program) => {
      expect(await workshop.run(program)).toEqual({ exitCode: 0, stderr: "", stdout: program.output ?? "" });
    },
  );
});
