import { readText } from '../../core/text/fields.ts';
import { checkUrl, type AgentConfig } from '../config/agent-config.ts';
import { isList, membersOf } from '../config/json-node.ts';
import type { PastedReader } from '../adding/pasted.ts';

/** Agent cards. */
export const A2A_PASTED: PastedReader = {
  protocol: 'a2a',
  readJson(node) {
    const members = membersOf(node);
    const name = readText(members.get('name')?.node.value);
    const interfaces = members.get('supportedInterfaces')?.node;
    const listed = interfaces && isList(interfaces) ? interfaces.value : [];
    const urls = [...listed, node].map(each => readText(membersOf(each).get('url')?.node.value));
    const url = urls.find(each => each !== undefined);
    if (name === undefined || url === undefined || checkUrl(url) !== undefined) return undefined;
    const config: AgentConfig = {
      name: name.trim().toLowerCase().replace(/\s+/g, '-'),
      protocol: 'a2a',
      inputs: new Map(),
      span: node.span,
      type: 'http',
      url,
      headers: new Map(),
      tls: {},
    };
    return { agents: new Map([[name, config]]), inputs: new Map(), issues: [] };
  },
};
