import { context, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import { serviceVersion } from '../version.ts';
import type { Observer } from './observer.ts';

const kinds = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  internal: SpanKind.INTERNAL,
} as const;

export interface Tracer extends Pick<Observer, 'inSpan'> {
  /** Sends what is not sent yet, and ends. */
  stop(): Promise<void>;
}

/**
 * Spans by OpenTelemetry's own packages, which read the usual variables: OTEL_EXPORTER_OTLP_ENDPOINT,
 * OTEL_EXPORTER_OTLP_HEADERS, OTEL_TRACES_SAMPLER, OTEL_RESOURCE_ATTRIBUTES, OTEL_SERVICE_NAME.
 */
export function createTracer(): Tracer {
  const named = resourceFromAttributes({
    'service.name': 'prompt-tables',
    'service.version': serviceVersion,
  });
  const detected = detectResources({ detectors: [envDetector] });
  const provider = new NodeTracerProvider({
    resource: defaultResource().merge(named).merge(detected),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
  });
  provider.register();
  const tracer = trace.getTracer('prompt-tables', serviceVersion);
  return {
    inSpan: ({ name, kind, attributes, parent, ended }, work) => {
      const above =
        parent === undefined
          ? context.active()
          : propagation.extract(context.active(), { traceparent: parent });
      const options = { kind: kinds[kind], attributes };
      return tracer.startActiveSpan(name, options, above, async (span) => {
        try {
          return await work();
        } catch (error) {
          // Its text may hold values of cells: the log has it.
          const type = error instanceof Error ? error.name : typeof error;
          span.setAttribute('error.type', type).setStatus({ code: SpanStatusCode.ERROR });
          throw error;
        } finally {
          if (ended) span.setAttributes(ended());
          span.end();
        }
      });
    },
    stop: () => provider.shutdown(),
  };
}
