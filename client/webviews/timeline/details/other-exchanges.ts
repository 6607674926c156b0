import { Fold } from '../../shared/fold.ts';
import { h, type View } from '../../shared/view.ts';
import { MessageBody, type Message, type TextTools } from './exchange.ts';

/** The messages of one direction: those of the call itself, and those of other requests of its connection. */
export interface Sorted {
  readonly own: readonly Message[];
  readonly others: readonly Message[];
}

interface OtherProps {
  readonly requests: readonly Message[];
  readonly replies: readonly Message[];
  readonly tools: TextTools;
}

/** What the connection sent besides the request of the call, such as a handshake: each request with its reply. */
export function OtherExchanges({ requests, replies, tools }: OtherProps): View | undefined {
  if (requests.length + replies.length === 0) return undefined;
  const { find } = tools;
  const messages = [...requests, ...replies];
  const left = [...replies];
  const take = (exchange: number | undefined): readonly Message[] => {
    const at = left.findIndex(({ head }) => head?.exchange === exchange);
    return at < 0 ? [] : left.splice(at, 1);
  };
  const pairs = requests.map(request => [request, ...take(request.head?.exchange)]);
  return h(Fold, {
    class: 'fold section',
    summary: `Set-up and other requests of the connection (${requests.length})`,
    isWanted: find !== '' && messages.some(({ wire }) => wire.text.toLowerCase().includes(find)),
    content: () =>
      [...pairs.flat(), ...left].map(message =>
        h(MessageBody, { title: requests.includes(message) ? 'Request' : 'Reply', message, tools }),
      ),
  });
}
