import type { LanguageId } from '../../core/catalog/languages.ts';
import type { ArgumentSchemas } from '../json/argument-schema.ts';
import { ToolSchemas } from '../json/json-service.ts';
import { LANGUAGE_SUPPORT } from '../languages.ts';
import type { LanguageSupport } from '../support.ts';
import type { RequestSchemas } from './schemas.ts';
import { agentJson } from './support.ts';

type Schema = Readonly<Record<string, unknown>>;

/** A protocol, as far as its requests in JSON are concerned. */
interface JsonProtocol {
  readonly facts: { readonly name: string };
  readonly requestSchema?: {
    readonly request: Schema;
    readonly methods?: Readonly<Record<string, { readonly summary: string; readonly params?: Schema }>>;
  };
}

/**
 * The languages for programs that check files: requests in JSON are checked by the schemas of these protocols. Only
 * such programs load the JSON language service.
 */
export function checkedLanguages(
  protocols: readonly JsonProtocol[],
): Readonly<Record<LanguageId, LanguageSupport>> {
  const known = protocols.flatMap(protocol => {
    const schemas = openSchemas(protocol);
    return schemas ? [[protocol.facts.name, schemas] as const] : [];
  });
  return { ...LANGUAGE_SUPPORT, 'agent-json': agentJson(new Map(known)) };
}

function openSchemas({ requestSchema }: JsonProtocol): RequestSchemas | undefined {
  if (!requestSchema) return undefined;
  const { request, methods = {} } = requestSchema;
  return {
    request: open(request).whole(),
    methods: new Map(
      Object.entries(methods).map(([name, { summary, params }]) => [
        name,
        { summary, params: params && open(params).whole() },
      ]),
    ),
  };
}

function open(schema: Schema): ArgumentSchemas {
  return new ToolSchemas(JSON.stringify(schema));
}
