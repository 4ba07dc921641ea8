import type { Config } from '../core/config.ts'
import type { Span, SpanAttributes, Tracing } from '../core/tracing.ts'

export type TracingConfig = Pick<
  Config,
  'otlpTracesUrl' | 'otlpHeaders' | 'otelServiceName' | 'otelSamplerRatio' | 'otelDelayMs'
>

const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/

/** Sends traces by OTLP over HTTP. The libraries are loaded only here, so that a service without traces never does. */
export async function startOtlpTraces(config: TracingConfig): Promise<Tracing> {
  const [api, sdk, { OTLPTraceExporter }, { defaultResource, resourceFromAttributes }] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
  ])
  const exporter = new OTLPTraceExporter({ url: config.otlpTracesUrl ?? '', headers: config.otlpHeaders })
  const provider = new sdk.TracerProvider({
    resource: defaultResource().merge(resourceFromAttributes({ 'service.name': config.otelServiceName })),
    sampler: new sdk.ParentBasedSampler({ root: new sdk.TraceIdRatioBasedSampler(config.otelSamplerRatio) }),
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter, scheduledDelayMillis: config.otelDelayMs })],
  })
  const tracer = provider.getTracer('assay')

  const begin = (name: string, attributes: SpanAttributes, kind: number, parent: typeof api.ROOT_CONTEXT): Span => {
    const span = tracer.startSpan(name, { attributes, kind }, parent)
    const context = api.trace.setSpan(parent, span)
    return {
      begin: (inner, more = {}) => begin(inner, more, api.SpanKind.INTERNAL, context),
      set: (more) => void span.setAttributes(more),
      fail(error) {
        span.setStatus({ code: api.SpanStatusCode.ERROR })
        span.setAttribute('error.type', error instanceof Error ? error.name : typeof error)
      },
      end: () => span.end(),
    }
  }

  return {
    beginRequest(name, attributes, traceparent) {
      const [, traceId, spanId, flags] = TRACEPARENT.exec(traceparent ?? '') ?? []
      const remote = { traceId: traceId ?? '', spanId: spanId ?? '', traceFlags: Number.parseInt(flags ?? '0', 16) }
      const parent = api.isSpanContextValid(remote)
        ? api.trace.setSpanContext(api.ROOT_CONTEXT, { ...remote, isRemote: true })
        : api.ROOT_CONTEXT
      return begin(name, attributes, api.SpanKind.SERVER, parent)
    },
    beginJob: (name, attributes) => begin(name, attributes, api.SpanKind.CONSUMER, api.ROOT_CONTEXT),
    close: () => provider.shutdown().catch(() => {}),
  }
}
