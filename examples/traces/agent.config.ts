// Sends traces by OTLP over HTTP to http://localhost:4318, or to OTEL_EXPORTER_OTLP_ENDPOINT.
// npm install @opentelemetry/sdk-trace-node @opentelemetry/exporter-trace-otlp-proto
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import { defineConfig } from 'roomflow';

// Each call process loads this file first. `register` also sets the context manager, which links spans to their parents.
new NodeTracerProvider({ spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())] }).register();

export default defineConfig({
  prompt: 'You answer for a bicycle shop. Be brief.',
  prices: { 'gpt-4o-mini': { input: 0.15, cached: 0.075, output: 0.6 } },
});
