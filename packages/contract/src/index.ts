export * from './account-api.ts';
export * from './approval-api.ts';
export * from './client-api.ts';
export * from './endpoint.ts';
export type { EndpointName, NamedEndpoint } from './endpoint-name.ts';
export * from './errors.ts';
export * from './interaction-api.ts';
export { byLocale, type Locale, languages, locales, matchLocale } from './languages.ts';
export * from './openapi.ts';
export { passkeyApi } from './passkey-api.ts';
export type { ActivityGroup, ActivityKind } from './rules/activity-kinds.ts';
export type { DeviceProblem } from './rules/device-problem.ts';
export type { PasswordProfile } from './rules/password.ts';
export type { Prompt } from './rules/prompts.ts';
export type { Account, IdentifierChange, UndoDetails } from './schemas/account.ts';
export type {
  Activity,
  ActivityDetail,
  AddedInSession,
  Disputed,
  SignInNoticed,
} from './schemas/activity.ts';
export type { Approve } from './schemas/approval.ts';
export type * from './schemas/boot.ts';
export type * from './schemas/client.ts';
export type {
  Agreement,
  InteractionDetails,
  RememberedAccount,
  ReturnTo,
  ScopeAsked,
} from './schemas/interaction.ts';
export type { ExportState } from './schemas/leaving.ts';
export {
  isPasskeyTransport,
  type Passkey,
  type PasskeyAssertion,
  type PasskeyCreationOptions,
  type PasskeyRegistration,
  type PasskeyRequestOptions,
  type PasskeyTransport,
} from './schemas/passkey.ts';
export type { LinkToReview, OtherIdentifier, PasskeyToReview, RecoveryReview } from './schemas/recovery.ts';
export type {
  RecoveryCodes,
  SecondFactorWay,
  TotpStarted,
  TrustedBrowser,
  Ways,
} from './schemas/second-factor.ts';
export type {
  Authorization,
  ClientSummary,
  EndedAuthorization,
  Link,
  LinkEndReason,
  ResourceScope,
  Session,
} from './schemas/session.ts';
export type * from './schemas/stream.ts';
export { type CodePurpose, type CodeSent, codePurposes, type TicketIssued } from './schemas/verification.ts';
