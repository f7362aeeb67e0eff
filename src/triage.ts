/** Triage for services and programs: which category a failure is, how sure that is, and why. */
export {
  type Category,
  type Classification,
  categories,
  type FailureEvidence,
  type Fingerprint,
  type FingerprintPart,
  noEvidence,
  type RunnerUp,
  type SideEffect,
} from "./domain/classification.ts";
