import { AICL_VERSIONS } from '../../../core/catalog/aicl.ts';
import { quote } from '../../../core/text/quote.ts';
import { boolValue, listValue, textValue, type Value } from '../../../core/values/value.ts';
import { dictOf } from '../../message/dicts.ts';
import type { Offer } from '../../serving/serving.ts';

/** What a query finds in the offer of an agent. */
type Found =
  | { readonly kind: 'data'; readonly data: Value }
  | { readonly kind: 'problem'; readonly text: string }
  | { readonly kind: 'resource'; readonly uri: string };

/**
 * Answers a query about an agent: `tools`, `tool NAME` or `capabilities`, or finds the resource with this URI. Undefined
 * for any other query. LightAICL has no messages about tools, so these are data, in the form of MCP.
 */
export function answerQuery(query: string, offer: Offer): Found | undefined {
  const { tools, problem } = offer;
  if (query === 'capabilities') return { kind: 'data', data: describe(offer) };
  const name = /^tool (.+)$/s.exec(query)?.[1];
  const isAboutTools = query === 'tools' || name !== undefined;
  if (isAboutTools && tools.length === 0 && problem !== undefined) return { kind: 'problem', text: problem };
  if (query === 'tools') return { kind: 'data', data: listValue(tools.map(({ value }) => value)) };
  if (name !== undefined) {
    const tool = tools.find(each => each.name === name);
    const text = `There is no tool ${quote(name)}; the query 'tools' lists them`;
    return tool ? { kind: 'data', data: tool.value } : { kind: 'problem', text };
  }
  const resource = offer.resources.find(({ kind, detail }) => kind === 'resource' && detail === query);
  return resource && { kind: 'resource', uri: resource.detail };
}

function describe(offer: Offer): Value {
  const { name, version, description, tools, takesTasks, resources, instructions } = offer;
  const uris = resources.filter(({ kind }) => kind === 'resource').map(({ detail }) => textValue(detail));
  return dictOf({
    name: textValue(name),
    version: textValue(version),
    description: textValue(description),
    instructions: instructions === undefined ? undefined : textValue(instructions),
    versions: listValue(AICL_VERSIONS.map(textValue)),
    tools: listValue(tools.map(each => textValue(each.name))),
    takes_tasks: boolValue(takesTasks),
    resources: uris.length === 0 ? undefined : listValue(uris),
  });
}
