/**
 * Words in the name of a header, parameter, member or variable that mark its value as a credential. A name is
 * secret if one of its words is and no later word says that the value is only a fact about the credential.
 */
export const SECRET_WORDS = {
  /** Words that make a name secret at any position. */
  always: words(`
    authorization authentication auth apikey secret password passwd pwd pass passphrase passcode credential
    credentials signature sig sign hmac jwt bearer assertion cookie cookie2 csrf xsrf otp dpop wsse ticket
  `),
  /** Words that are secret unless they follow one of `harmlessBefore`. */
  keys: ['token', 'key'],
  harmlessBefore: words(`
    idempotency websocket cache surrogate partition sort primary foreign public object row range page next prev
    previous continuation sync resume resumption start starting creation project issue file cursor prompt
  `),
  /**
   * Words written together, such as `accesstoken`: a word is secret if it ends in `password`, or in one of
   * these followed by one of `joinedKeys`.
   */
  joinedEnds: ['password'],
  joinedStarts: words(`
    api app access auth secret private master session csrf xsrf middleware refresh id user admin bot bearer
    security subscription
  `),
  joinedKeys: ['key', 'token', 'secret'],
  /** A later word from this list means that the value describes the credential and is not the credential itself. */
  aboutIt: words(`
    type types ops count counts limit limits remaining reset usage used spend budget rpm tpm max min expires
    expiry expiration ttl length size index status name names id ids arn marker namespace alg algorithm
    algorithms version endpoint endpoints url uri supported required enabled method methods mode policy scheme
    realm input nonce user username email server servers timestamp md5 sha256 info in on at through
  `),
} as const;

/** Lower-case names that are always or never secret, regardless of their words. `*` matches the rest of a name. */
export const SECRET_NAMES = {
  always: ['code', 'code_verifier', 'device_code', 'samlresponse', 'x-amzn-oidc-data'],
  never: ['accept-signature', 'access-control-*'],
} as const;

/** JSON string members that are secret in any message. In sign-in messages, all members with secret names are. */
export const SECRET_MEMBERS = [
  'access_token',
  'refresh_token',
  'id_token',
  'client_secret',
  'api_key',
  'password',
  'private_key',
] as const;

/** JSON members or form fields that identify a sign-in message (RFC 6749, RFC 7591). */
export const SIGN_IN_MEMBERS = ['grant_type', 'access_token', 'client_secret'] as const;

/** A prefix that a service uses for its tokens. */
export interface TokenPrefix {
  readonly prefix: string;
  /** The minimum number of characters after the prefix. */
  readonly least: number;
  /** True if ordinary words may have this prefix: the rest must have a digit, or letters of both cases. */
  readonly isCommon?: boolean;
  readonly service: string;
}

/** Token prefixes of known services. Tokens continue with letters, digits, `_`, `-` and `.`. */
export const TOKEN_PREFIXES: readonly TokenPrefix[] = [
  ...prefixes('sk-', { least: 16, isCommon: true, service: 'OpenAI, Anthropic and others' }),
  ...prefixes('sess-', { least: 24, isCommon: true, service: 'OpenAI' }),
  ...prefixes('sk_live_ sk_test_ rk_live_ rk_test_', { least: 10, service: 'Stripe' }),
  ...prefixes('whsec_', { least: 10, service: 'Stripe, Svix' }),
  ...prefixes('gho_ ghp_ ghr_ ghs_ ghu_ github_pat_', { least: 20, service: 'GitHub' }),
  ...prefixes('glpat- gldt- glptt- glcbt- glrt- gloas-', { least: 16, service: 'GitLab' }),
  ...prefixes('xoxa- xoxb- xoxc- xoxd- xoxe- xoxe. xoxo- xoxp- xoxr- xoxs- xapp-', {
    least: 10,
    service: 'Slack',
  }),
  ...prefixes('AKIA ASIA ABIA ACCA', { least: 16, isCommon: true, service: 'AWS' }),
  ...prefixes('AIza', { least: 30, service: 'Google' }),
  ...prefixes('ya29. GOCSPX-', { least: 16, service: 'Google' }),
  ...prefixes('hf_', { least: 20, isCommon: true, service: 'Hugging Face' }),
  ...prefixes('npm_', { least: 30, isCommon: true, service: 'npm' }),
  ...prefixes('pypi-', { least: 30, isCommon: true, service: 'PyPI' }),
  ...prefixes('dckr_pat_', { least: 20, service: 'Docker' }),
  ...prefixes('hvs. hvb.', { least: 20, service: 'HashiCorp Vault' }),
  ...prefixes('dop_v1_ doo_v1_', { least: 20, service: 'DigitalOcean' }),
  ...prefixes('shpat_ shpss_ shpca_', { least: 20, service: 'Shopify' }),
  ...prefixes('SG.', { least: 30, isCommon: true, service: 'SendGrid' }),
  ...prefixes('key-', { least: 32, isCommon: true, service: 'Mailgun' }),
  ...prefixes('lin_api_', { least: 20, service: 'Linear' }),
  ...prefixes('ntn_', { least: 30, service: 'Notion' }),
  ...prefixes('figd_', { least: 20, service: 'Figma' }),
  ...prefixes('gsk_', { least: 20, isCommon: true, service: 'Groq' }),
  ...prefixes('r8_', { least: 30, service: 'Replicate' }),
  ...prefixes('pplx-', { least: 20, isCommon: true, service: 'Perplexity' }),
  ...prefixes('xai-', { least: 30, isCommon: true, service: 'xAI' }),
  ...prefixes('tvly-', { least: 16, isCommon: true, service: 'Tavily' }),
  ...prefixes('pcsk_', { least: 20, service: 'Pinecone' }),
  ...prefixes('nvapi-', { least: 20, service: 'NVIDIA' }),
  ...prefixes('lsv2_', { least: 20, service: 'LangSmith' }),
  ...prefixes('pk-lf- sk-lf-', { least: 20, service: 'Langfuse' }),
  ...prefixes('glsa_', { least: 20, service: 'Grafana' }),
  ...prefixes('sntrys_ sntryu_', { least: 20, service: 'Sentry' }),
  ...prefixes('sbp_', { least: 30, service: 'Supabase' }),
  ...prefixes('sb_secret_', { least: 16, service: 'Supabase' }),
  ...prefixes('PMAK-', { least: 30, service: 'Postman' }),
];

function prefixes(list: string, of: Omit<TokenPrefix, 'prefix'>): readonly TokenPrefix[] {
  return words(list).map(prefix => ({ prefix, ...of }));
}

function words(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}
