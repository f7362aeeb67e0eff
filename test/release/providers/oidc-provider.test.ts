import { describeProvider } from "./matrix.ts";
import { oidcProviderKind } from "./provider-kinds.ts";

describeProvider(oidcProviderKind);
