import { describeProvider } from "./matrix.ts";
import { dexKind } from "./provider-kinds.ts";

describeProvider(dexKind);
