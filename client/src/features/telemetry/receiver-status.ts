import { countOf } from '../../../../core/text/count.ts';
import type { StatusWords } from '../../window/status-bar.ts';
import type { ReceiverInfo } from '../../services/telemetry-service.ts';

/** The status bar text while spans are received. */
export function describeReceiver({ address, spans }: ReceiverInfo): StatusWords {
  const port = new URL(address).port;
  const count = countOf(spans, 'span');
  return {
    text: `OTLP :${port}`,
    icon: 'pulse',
    tooltip: `Telemetry receiver at ${address}\n${count} so far\nAgents send to it with OTEL_EXPORTER_OTLP_ENDPOINT=${address}\nClick to stop`,
    label: `Telemetry receiver on port ${port}, ${count}; stop it`,
  };
}
