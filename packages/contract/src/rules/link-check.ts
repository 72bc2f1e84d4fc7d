/** What a check of a link plays, in this order. */
export const linkCheckSteps = [
  'reach',
  'issuer',
  'link',
  'redirect_uris',
  'exchange',
  'answer',
  'code_again',
  'refresh',
  'parallel_refresh',
  'lost_answer',
  'timeout',
  'link_again',
  'later',
  'unlink',
] as const;
export type LinkCheckStepName = (typeof linkCheckSteps)[number];

/** What a step may find. */
export const linkCheckProblems = [
  'unreachable',
  'issuer_not_https',
  'issuer_not_public',
  'client_disabled',
  'client_not_known',
  'redirect_uri_missing',
  'scope_refused',
  'challenge_required',
  'request_refused',
  'answer_changed',
  'authentication_refused',
  'exchange_refused',
  'refresh_token_missing',
  'lifetime_too_short',
  'answer_too_long',
  'token_too_long',
  'answer_too_slow',
  'code_taken_twice',
  'code_ended_link',
  'refresh_refused',
  'repeat_refused',
  'link_ended_early',
  'link_survives',
] as const;
export type LinkCheckProblem = (typeof linkCheckProblems)[number];

/** What a platform takes at most, and waits for at most. */
export const linkCheckBounds = {
  /** Alexa's least lifetime of an access token, in seconds. */
  accessTokenSeconds: 360,
  /** For how long Amazon waits for the token endpoint, in milliseconds. */
  answerMs: 4_500,
} as const;
