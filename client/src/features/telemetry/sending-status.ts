import { countOf, showCount } from '../../../../core/text/count.ts';
import type { StatusWords } from '../../window/status-bar.ts';
import type { SendingInfo } from '../../services/telemetry-service.ts';

/** The status bar text while ended calls are sent to a collector. */
export function describeSending(sending: SendingInfo): StatusWords {
  const { address, problem, sent, waiting, lost } = sending;
  const counts = describeCounts(sending);
  const isWarning = problem !== undefined;
  return {
    text: isWarning ? `Collector: ${showCount(waiting + lost)} not sent` : `Collector: ${showCount(sent)}`,
    icon: isWarning ? 'warning' : 'cloud-upload',
    tooltip: [`Sending calls to ${address} as they end`, counts, problem, 'Click to stop']
      .filter(Boolean)
      .join('\n'),
    label: `Sending to a collector, ${counts}; stop it`,
    isWarning,
  };
}

/** How many calls were sent, wait and are lost. */
export function describeCounts({ sent, waiting, lost }: SendingInfo): string {
  const parts = [
    `${countOf(sent, 'call')} sent`,
    waiting > 0 ? `${showCount(waiting)} waiting` : '',
    lost > 0 ? `${showCount(lost)} lost` : '',
  ];
  return parts.filter(Boolean).join(', ');
}
