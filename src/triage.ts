/** Triage for services and programs: which category a failure is, how sure that is and why; and which are the same. */
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
export { type Accuracy, accuracyOf, type Judged, type Mistake } from "./triage/accuracy.ts";
export { classify } from "./triage/classify.ts";
export { fingerprint } from "./triage/fingerprint/fingerprint.ts";
export { type LabelledFailure, readLabelledFailure } from "./triage/labelled-failure.ts";
