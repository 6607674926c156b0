import { defined, readFields, readText } from '../../core/text/fields.ts';
import { parseJson } from '../../core/text/json.ts';
import { isCard, listCardAddresses } from './card.ts';
import type { Discovery } from '../discovery.ts';

/** How A2A agents are found at an address: by their card. */
export const A2A_DISCOVERY: Discovery = {
  probes: address =>
    listCardAddresses(address).map(url => ({
      method: 'GET',
      url,
      headers: [['Accept', 'application/json']],
      read({ status, body }) {
        const card = readFields(parseJson(body));
        if (status !== 200 || !card || !isCard(card)) return undefined;
        return defined({ address, name: readText(card.get('name')) });
      },
    })),
};
