import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import {
  isSecretMember,
  isSecretName,
  isSecretPath,
  setSecretNames,
} from '../../../core/secrets/secret-name.ts';

const words = (text: string): readonly string[] => text.trim().split(/\s+/);

/** Fields of the IANA registry of HTTP fields, and what gateways, clouds and agents add. */
const HEADERS = {
  secret: words(`
    Authorization Proxy-Authorization Cookie Cookie2 Set-Cookie Set-Cookie2 Signature DPoP Sec-Token-Binding
    Sec-Private-State-Token X-API-Key x-api-key Api-Key ApiKey APIKEY X-ApiKey XAPIKEY X-AIP-API-Key X-Auth X-Auth-Token
    X-AuthToken X-Access-Token X-Refresh-Token X-Session-Token X-CSRF-Token X-CSRFToken X-XSRF-TOKEN CSRF-Token X-Token
    Token X-Secret X-Client-Secret X-App-Secret X-Password X-Passphrase X-Signature X-Hub-Signature X-Hub-Signature-256
    X-JWT X-JWT-Assertion X-OTP X-GitHub-OTP X-WSSE X-Service-Ticket X-Amz-Security-Token X-Amz-Credential
    X-Amz-Signature X-Amz-Server-Side-Encryption-Customer-Key x-amzn-oidc-data x-amzn-oidc-accesstoken
    X-Aws-EC2-Metadata-Token X-Goog-API-Key X-Goog-IAM-Authorization-Token X-Goog-Iap-Jwt-Assertion X-Goog-Channel-Token
    Ocp-Apim-Subscription-Key X-Functions-Key X-Ms-Token-Aad-Access-Token X-Ms-Token-Aad-Refresh-Token
    Aeg-Sas-Key Aeg-Sas-Token X-MS-Authorization-Auxiliary PRIVATE-TOKEN Job-Token Deploy-Token X-Gitlab-Token
    X-Slack-Signature Stripe-Signature X-Twilio-Signature DD-API-KEY DD-APPLICATION-KEY X-License-Key X-Insert-Key
    X-Sentry-Auth CF-Access-Client-Secret CF-Access-Jwt-Assertion X-Auth-Key X-Auth-User-Service-Key apikey
    X-Algolia-API-Key X-Elastic-Client-Secret X-Vault-Token X-Consul-Token X-Nomad-Token X-Rapidapi-Key
    X-LangSmith-Api-Key X-Pinecone-Api-Key Anthropic-Api-Key Xi-Api-Key X-Subscription-Token X-Shopify-Access-Token
    X-Shopify-Hmac-Sha256-Signature X-Figma-Token X-Redmine-API-Key X-Postmark-Server-Token X-Mgmt-Password
    X-A2A-Notification-Token X-Telegram-Bot-Api-Secret-Token X-Forwarded-Access-Token Authentication
    X-HTTP-Authorization X-Remote-Passwd Svix-Signature Webhook-Signature X-Databricks-GCP-SA-Access-Token
    X-Ms-Client-Principal-Credential X-Userpassword X-Bottoken X-Middlewaretoken
  `),
  visible: words(`
    Accept Accept-CH Accept-Charset Accept-Encoding Accept-Language Accept-Patch Accept-Post Accept-Ranges
    Accept-Signature Access-Control-Allow-Credentials Access-Control-Allow-Headers Access-Control-Allow-Methods
    Access-Control-Allow-Origin Access-Control-Expose-Headers Access-Control-Max-Age Access-Control-Request-Headers
    Access-Control-Request-Method Age Allow ALPN Alt-Svc Alt-Used Authentication-Info Cache-Control Cache-Status
    CDN-Cache-Control CDN-Loop Clear-Site-Data Client-Cert Client-Cert-Chain Close Connection Content-Digest
    Content-Disposition Content-Encoding Content-Language Content-Length Content-Location Content-Range
    Content-Security-Policy Content-Type Cross-Origin-Opener-Policy Date Deprecation Depth Destination Digest DNT
    DPoP-Nonce Early-Data ETag Expect Expires Forwarded From Host HTTP2-Settings Idempotency-Key If If-Match
    If-Modified-Since If-None-Match If-Range If-Unmodified-Since Include-Referred-Token-Binding-ID Keep-Alive Last-Event-ID
    Last-Modified Link Location Lock-Token-Name Max-Forwards Memento-Datetime MIME-Version NEL Origin
    Optional-WWW-Authenticate OSCORE Permissions-Policy Pragma Prefer Preference-Applied Priority Proxy-Authenticate
    Proxy-Authentication-Info Proxy-Status Public-Key-Pins Public-Key-Pins-Report-Only Range Referer Referrer-Policy
    Refresh Repr-Digest Retry-After Sec-Fetch-Dest Sec-Fetch-Mode Sec-Fetch-Site Sec-GPC
    Sec-Private-State-Token-Crypto-Version Sec-WebSocket-Accept Sec-WebSocket-Extensions Sec-WebSocket-Key
    Sec-WebSocket-Protocol Sec-WebSocket-Version Server Server-Timing Signature-Input SOAPAction
    Strict-Transport-Security Sunset Surrogate-Capability Surrogate-Control Surrogate-Key TE Timing-Allow-Origin
    Traceparent Tracestate Trailer Transfer-Encoding Upgrade Upgrade-Insecure-Requests User-Agent Vary Via
    Want-Content-Digest WWW-Authenticate X-Cache X-Cache-Key X-Content-Type-Options X-Correlation-ID X-Forwarded-For
    X-Forwarded-Host X-Frame-Options X-Powered-By X-Real-IP X-Request-ID X-RateLimit-Limit-Tokens
    X-RateLimit-Remaining-Tokens X-RateLimit-Reset-Tokens Anthropic-Ratelimit-Tokens-Remaining
    Anthropic-Ratelimit-Input-Tokens-Limit Anthropic-Version Anthropic-Beta OpenAI-Organization OpenAI-Project
    OpenAI-Version OpenAI-Processing-Ms Mcp-Session-Id Mcp-Protocol-Version A2A-Version X-Amz-Date X-Amz-Algorithm
    X-Amz-Content-Sha256 X-Amz-SignedHeaders X-Amz-Expires X-Amz-Server-Side-Encryption-Customer-Key-MD5
    X-Amz-Server-Side-Encryption-Aws-Kms-Key-Id X-Amzn-RequestId X-Amzn-Trace-Id X-Goog-Algorithm X-Goog-Date
    X-Goog-Api-Client X-Goog-User-Project X-Ms-Version X-Ms-Date X-Ms-Client-Principal-Name X-Ms-Continuation
    X-Ms-Request-Id X-Api-Version X-Api-Key-Id X-Auth-Email X-Auth-Mode X-Auth-Method X-Auth-Required X-Auth-User
    X-Auth-Scheme X-Token-Type X-Token-Count X-Token-Expires X-Token-Usage X-Tokens-Used X-Max-Tokens X-Password-Policy
    X-Page-Token X-Next-Page-Token X-Next-Token X-Continuation-Token X-Resume-Token X-Sync-Token X-Partition-Key
    X-Sort-Key X-Row-Key X-Object-Key X-Prompt-Key X-Project-Token CF-Access-Client-Id CF-Ray X-Slack-Request-Timestamp
    X-Signature-Timestamp X-Signature-Version X-Signature-Algorithm Svix-Id Svix-Timestamp Webhook-Id
    X-GitHub-Event X-GitHub-Delivery X-Hook-Id X-RapidAPI-Host X-Algolia-Application-Id X-Pass-Through X-Sign-In-Url
    X-LiteLLM-Key-Spend X-LiteLLM-Key-Max-Budget X-LiteLLM-Key-Rpm-Limit X-LiteLLM-Key-Tpm-Limit X-Vault-Namespace
    X-Vault-Request Author Authority X-Authored-By Keywords X-Monkey X-Compass Passage Bypass Design X-Turnkey Hotkeys
    Tokenizer X-Secretary
  `),
};

/** Parameters of addresses, fields of forms, members, attributes and variables of the environment. */
const OTHERS = {
  secret: words(`
    key token api_key apiKey APIKey apikey api-key ApiKey access_token accessToken AccessToken accesstoken
    accessTokenSecret oauth_token oauth_token_secret oauth_signature refresh_token refreshToken id_token idToken
    id_token_hint client_secret clientSecret client_assertion assertion password passwd pwd pass passcode newPassword
    userPassword userpassword private_key privateKey privatekey secret secretKey secret_key masterkey sessiontoken
    subject_token actor_token registration_access_token code code_verifier codeVerifier device_code deviceCode
    SAMLResponse signature sig sign hmac jwt auth authToken authtoken bearer bearer_token csrf_token csrfmiddlewaretoken
    authenticity_credential otp ticket X-Amz-Credential X-Amz-Security-Token X-Amz-Signature X-Goog-Signature
    X-Goog-Credential AWS_SECRET_ACCESS_KEY AWS_SESSION_TOKEN OPENAI_API_KEY ANTHROPIC_API_KEY GITHUB_TOKEN OAUTH2_TOKEN
    HF_TOKEN NPM_TOKEN PGPASSWORD MYSQL_PWD DATABASE_PASSWORD subscription-key subscriptionKey user[password]
    login[api_token] SAS_KEY SharedAccessKey SharedAccessSignature dbPassword wsse
  `),
  visible: words(`
    page pageToken page_token nextPageToken next_page_token prevPageToken previousPageToken nextToken next_token
    NextToken continuationToken continuation-token ContinuationToken resumeToken resumptionToken syncToken startToken
    startingToken exclusiveStartKey creationToken cursor cursorToken cacheKey cache_key partitionKey PartitionKey RowKey
    sortKey primaryKey primary_key foreignKey publicKey public_key objectKey rangeKey idempotencyKey idempotency_key
    projectKey issueKey fileKey fileToken promptKey max_tokens maxTokens max_completion_tokens prompt_tokens
    completion_tokens total_tokens totalTokens tokens keys keyword monkey token_type tokenType token_type_hint
    token_count tokenCount token_endpoint token_endpoint_auth_method token_endpoint_auth_methods_supported
    authorization_endpoint subject_token_type client_assertion_type client_secret_expires_at AWSAccessKeyId
    awsAccessKeyId access_key_id KeyId key_id api_key_id apiKeyName key_name secretName secret_name secret_arn
    password_policy passwordLength password_expires_at username user email client_id redirect_uri scope state nonce
    response_type grant_type code_challenge code_challenge_method X-Amz-Date X-Amz-Algorithm X-Amz-SignedHeaders
    X-Amz-Expires X-Goog-Date X-Goog-Expires se sp sv sr st spr skoid sktid Expires Policy Key-Pair-Id version
    session_id sessionId contextId signed_headers assigned design author sign_in_url signInUrl pass_through
    signature_version signatureMethod auth_mode auth_url authUri jwt_alg verification_method error_description status
    errorcode zipcode encode barcode promo
  `),
};

describe('the names of credentials', () => {
  afterEach(() => setSecretNames([]));

  it('are found among the headers of the registry and of vendors, and no others', () => {
    assert.deepEqual(
      HEADERS.secret.filter(name => !isSecretName(name, 'header')),
      [],
    );
    assert.deepEqual(
      HEADERS.visible.filter(name => isSecretName(name, 'header')),
      [],
    );
  });

  it('are found among headers in any case', () => {
    for (const form of [(name: string) => name.toLowerCase(), (name: string) => name.toUpperCase()]) {
      assert.deepEqual(
        HEADERS.secret.filter(name => !isSecretName(form(name), 'header')),
        [],
      );
      assert.deepEqual(
        HEADERS.visible.filter(name => isSecretName(form(name), 'header')),
        [],
      );
    }
  });

  it('are found among parameters, members and variables, and no others', () => {
    assert.deepEqual(
      OTHERS.secret.filter(name => !isSecretName(name, 'other')),
      [],
    );
    assert.deepEqual(
      OTHERS.visible.filter(name => isSecretName(name, 'other')),
      [],
    );
  });

  it('are those of the rule also where that is more or less than their values are', () => {
    const more = words('Lock-Token Authentication-Control Sec-Private-State-Token-Lifetime');
    assert.deepEqual(
      more.filter(name => !isSecretName(name, 'header')),
      [],
    );
    const less = words('X-TrackerToken X-Shopify-Hmac-SHA256');
    assert.deepEqual(
      less.filter(name => isSecretName(name, 'header')),
      [],
    );
    assert.ok(isSecretName('progressToken', 'other') && isSecretName('LastEvaluatedKey', 'other'));
  });

  it('are decided by the last part of a name with parts', () => {
    const paths = words(`
      db.password gen_ai.request.api_key enduser.token cache.key redis.partition.key gen_ai.usage.input_tokens
      auth.host llm.token_count.prompt key
    `);
    assert.deepEqual(
      paths.filter(path => isSecretPath(path)),
      ['db.password', 'gen_ai.request.api_key', 'enduser.token', 'key'],
    );
  });

  it('are few among members of any message', () => {
    const members = words(`
      access_token refresh_token id_token client_secret api_key password private_key accessToken apiKey token key secret
      next_page_token authorization passwords
    `);
    assert.deepEqual(
      members.filter(name => isSecretMember(name)),
      [...members.slice(0, 9)],
    );
  });

  it('are those that the user adds besides', () => {
    setSecretNames(['X-Tenant-Pin', 'accountNumber']);
    assert.deepEqual(
      ['x-tenant-pin', 'X-Tenant-Pins', 'accountNumber', 'account_number'].map(name =>
        isSecretName(name, 'header'),
      ),
      [true, false, true, true],
    );
    assert.deepEqual([isSecretMember('tenant'), isSecretMember('account_number')], [false, true]);
  });
});
