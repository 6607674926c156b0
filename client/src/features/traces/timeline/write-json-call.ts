import { PayloadLimiter } from '../../../../../trace/payload-limiter.ts';
import { runInSlices } from '../../../../../core/text/slices.ts';
import { EXTENSION_HOST } from '../../../base/slices.ts';
import { openJsonRequest } from '../../../sending/json-file.ts';
import { readCall } from '../../../targets/arguments.ts';
import { showWarning } from '../../../window/messages.ts';
import type { Command } from '../../feature.ts';
import type { TracesParts } from '../parts.ts';
import { DOCUMENT_LIMITS, payloadDocumentSteps } from './payload-document.ts';

/**
 * Opens a new file with the request of a call, as it was sent, in the JSON of its protocol. Replaced secrets remain
 * replaced. Returns its text.
 */
export const writeJsonCall: Command<TracesParts> = async ({ source }, [target]) => {
  const id = readCall(target) ?? '';
  const call = source.find(id)?.call;
  const limiter = new PayloadLimiter(DOCUMENT_LIMITS);
  const payload = await source.payload(id, limiter);
  const work = payloadDocumentSteps(payload, 'out', limiter.leftOutOf('out'));
  const built = (await runInSlices(work, EXTENSION_HOST))?.result;
  if (!call || built?.language !== 'json' || built.cut !== undefined)
    return showWarning('The request of this call is no JSON that can be sent again. Use Replay instead.');
  return (await openJsonRequest(call.agent, call.protocol, built.text))?.getText();
};
