/** A version of a service that went live. */
interface DeployedVersion {
  readonly service: string;
  readonly version: string;
}

/** Whether what a person says brought a bug in is this version: by its own name, with its service, or by the commit it ends in. */
export function isIntroducedBy(said: string, { service, version }: DeployedVersion): boolean {
  const wanted = said.trim();
  if ([version, `${service}@${version}`, `${service} ${version}`].includes(wanted)) return true;
  const [commit, built] = [commitIn(wanted), commitIn(version)];
  return commit !== null && built !== null && (commit.startsWith(built) || built.startsWith(commit));
}

/** `3f2a91c`, `1.8.2+3f2a91c`, `v1.8-4-g3f2a91c`: seven digits or more, of which one is a letter, or a date would be a commit. */
function commitIn(text: string): string | null {
  const [, commit] = /(?:^|[+.-])g?((?=\d*[a-f])[\da-f]{7,40})$/i.exec(text) ?? [];
  return commit?.toLowerCase() ?? null;
}
