export * from './account-api.ts';
export * from './approval-api.ts';
export { brandWordsApi } from './brand-words-api.ts';
export * from './client-api.ts';
export { deskActApi, deskApi } from './desk-api.ts';
export { deskServiceApi } from './desk-service-api.ts';
export * from './endpoint.ts';
export type { EndpointName, NamedEndpoint } from './endpoint-name.ts';
export * from './errors.ts';
export { firstRequests } from './first-requests.ts';
export * from './interaction-api.ts';
export { byLocale, type Locale, languages, locales, matchLocale } from './languages.ts';
export * from './openapi.ts';
export { passkeyApi } from './passkey-api.ts';
export type { ActivityGroup, ActivityKind } from './rules/activity-kinds.ts';
export {
  type DeskAct,
  type DeskEffect,
  deskActNames,
  deskActs,
  mayAs,
  type RecordAction,
  type StaffRole,
  staffRoles,
} from './rules/desk-acts.ts';
export type { DeviceProblem } from './rules/device-problem.ts';
export type { PasswordProfile } from './rules/password.ts';
export type { Prompt } from './rules/prompts.ts';
export type { ProviderKindName } from './rules/provider-kinds.ts';
export type { ProviderReason } from './rules/provider-return.ts';
export type { ServiceSpan } from './rules/service-spans.ts';
export type { Account, IdentifierChange, UndoDetails } from './schemas/account.ts';
export type {
  Activity,
  ActivityDetail,
  ActivityList,
  AddedInSession,
  Disputed,
  SignInNoticed,
} from './schemas/activity.ts';
export type { Approve } from './schemas/approval.ts';
export type * from './schemas/boot.ts';
export type * from './schemas/brand-words.ts';
export type * from './schemas/client.ts';
export type * from './schemas/desk.ts';
export type * from './schemas/desk-service.ts';
export type {
  Agreement,
  InteractionDetails,
  RememberedAccount,
  ReturnTo,
  ScopeAsked,
} from './schemas/interaction.ts';
export type { ExportState } from './schemas/leaving.ts';
export type { LinkCheck, LinkCheckStep } from './schemas/link-check.ts';
export {
  isPasskeyTransport,
  type Passkey,
  type PasskeyAssertion,
  type PasskeyCreationOptions,
  type PasskeyRegistration,
  type PasskeyRequestOptions,
  type PasskeyTransport,
} from './schemas/passkey.ts';
export type { ProviderArrival, ProviderOfAccount, ProviderOffered } from './schemas/provider.ts';
export type {
  LinkToReview,
  OtherIdentifier,
  PasskeyToReview,
  ProviderToReview,
  RecoveryReview,
} from './schemas/recovery.ts';
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
