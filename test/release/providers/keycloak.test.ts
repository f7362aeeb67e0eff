import { describeProvider } from "./matrix.ts";
import { keycloakKind } from "./provider-kinds.ts";

describeProvider(keycloakKind);
