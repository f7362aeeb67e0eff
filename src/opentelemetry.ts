export { type OpenTelemetryOptions, openTelemetry, openTelemetryDefaults } from "./telemetry/opentelemetry.ts";
