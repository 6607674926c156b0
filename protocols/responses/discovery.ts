import { asList, readFields, readText } from '../../core/text/fields.ts';
import { parseJson } from '../../core/text/json.ts';
import type { Discovered, Discovery, ProbeReply } from '../discovery.ts';

/** How agents of OpenAI's API are found at an address: by their list of models. */
export const RESPONSES_DISCOVERY: Discovery = {
  probes: address => {
    const base = baseOf(address);
    return [
      {
        method: 'GET',
        url: `${base}/models`,
        headers: [['Accept', 'application/json']],
        read: reply => readModels(reply, `${base}/responses`),
      },
    ];
  },
};

/** The address of the API: `https://host/v1` for any address of its endpoints, and for the host alone. */
function baseOf(address: string): string {
  const [path = ''] = address.split(/[?#]/, 1);
  const plain = path.endsWith('/') ? path.slice(0, -1) : path;
  const base = plain.replace(/\/(?:responses|chat\/completions|completions|models)$/, '');
  return /^\w+:\/\/[^/]+$/.test(base) ? `${base}/v1` : base;
}

function readModels({ status, body }: ProbeReply, address: string): Discovered | undefined {
  const fields = readFields(parseJson(body));
  if (status === 200 && Array.isArray(fields?.get('data'))) {
    const models = asList(fields?.get('data')).flatMap(each => readText(readFields(each)?.get('id')) ?? []);
    return { address, models };
  }
  const error = readFields(fields?.get('error'));
  const isLocked = (status === 401 || status === 403) && error?.has('message') === true;
  return isLocked ? { address, isLocked } : undefined;
}
