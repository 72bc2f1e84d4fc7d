export * from './account-api.ts';
export * from './endpoint.ts';
export * from './errors.ts';
export { byLocale, type Locale, languages, locales, matchLocale } from './languages.ts';
export { dialLength, maskIdentifier } from './mask-identifier.ts';
export * from './openapi.ts';
export {
  type Account,
  AVATAR_LIMIT_BYTES,
  avatarTypes,
  type IdentifierChange,
  type UndoDetails,
} from './schemas/account.ts';
export * from './schemas/boot.ts';
export type {
  Agreement,
  InteractionDetails,
  Prompt,
  RememberedAccount,
  ReturnTo,
  ScopeAsked,
} from './schemas/interaction.ts';
export type { LinkToReview, OtherIdentifier } from './schemas/recovery.ts';
export type { Authorization, ClientSummary, ResourceScope, Session } from './schemas/session.ts';
export { type CodePurpose, type CodeSent, codePurposes, type TicketIssued } from './schemas/verification.ts';
