import { useEffect } from "react";
import type { Environment } from "../../src/domain/environment.ts";

/** Which office this is. The bar on top has its colour too, which is seen from the corner of an eye. */
export function EnvironmentBadge({ environment }: { readonly environment: Environment | null }) {
  const colour = environment?.colour ?? (isProduction(environment?.name) ? "var(--danger)" : null);
  useEffect(() => {
    // By script and not in the markup, where the content policy would refuse it. What is no colour changes nothing.
    if (colour !== null) document.documentElement.style.setProperty("--environment", colour);
  }, [colour]);
  return environment === null ? null : <b className="environment">{environment.name}</b>;
}

function isProduction(name = ""): boolean {
  return /^prod/i.test(name);
}
