import type { accountApi } from './account-api.ts';
import type { approvalApi } from './approval-api.ts';
import type { clientApi } from './client-api.ts';
import type { interactionApi } from './interaction-api.ts';

export type OperationName =
  | keyof typeof interactionApi
  | keyof typeof accountApi
  | keyof typeof clientApi
  | keyof typeof approvalApi;

/** Groups of operations, in the order in which a person meets them. */
export const tags = {
  Interaction: 'Inside an authorization request: what it asks of the person, and their answers.',
  Codes: 'Verification codes, by SMS and e-mail.',
  Recovery: 'A new password for whoever cannot sign in, and changes undone by the link in a notice.',
  Account: 'The signed-in account: its nickname, language, picture and password.',
  Leaving: 'A copy of everything about the person, and the end of the account.',
  Identifiers: 'The phone number and the e-mail address that an account signs in with.',
  Passkeys: 'Keys that the person keeps, and signs in with instead of a password (Web Authentication).',
  Providers: 'Accounts at identity providers that the person signs in with.',
  'Second factor':
    'What is asked besides a password or a code, the browsers that are not asked, and the ways to sign in.',
  Sessions: 'Browsers that are signed in, and the proofs that a session gives.',
  Activity: 'What happened to the account, and what its person says was somebody else.',
  Authorizations: 'Approvals of third-party apps.',
  Clients: 'Apps that a developer or a machine registered: their metadata, secrets, errors and history.',
} as const;

interface OperationText {
  tag: keyof typeof tags;
  /** When the operation is refused, and what else it does. Markdown. */
  description: string;
}

const waits =
  'Needs a step-up. An identifier that has been bound longer than the one which was proven takes a proof of its own (`step_up_required` names its kind among the fields), or waits for 72 hours, in which the link in the notice to it undoes the change.';

const paged = 'A page at a time: `next`, where there is one, is the `after` of the following page.';

/** The texts of each operation in `/openapi.json`. */
export const operations: Readonly<Record<OperationName, OperationText>> = {
  details: {
    tag: 'Interaction',
    description:
      'The prompt that is open, the app that asks, the scopes, the accounts that this browser remembers and the agreements to accept. `interaction_expired` is an interaction that was answered, is over, or is another browser’s.',
  },
  verify: {
    tag: 'Interaction',
    description:
      'The code is spent and the ticket stands for it for 10 minutes, so that a refused password costs no second code. It is bound to the identifier and this browser.',
  },
  forgetAccount: {
    tag: 'Interaction',
    description: 'The account is no longer offered in this browser. Sessions stay as they are.',
  },
  login: {
    tag: 'Interaction',
    description:
      'Takes an identifier with one of `password`, `code` and `ticket`, and answers where the browser goes on. `second_factor_required`: the proof was right, and `secondFactor` goes on with it. `factor_missing`, `bound_passkey_missing` and `code_required`: the app goes on with nothing as weak as this, and `abort` tells it so. `account_not_found` carries a ticket after a right code, with which `register` needs no other.',
  },
  secondFactor: {
    tag: 'Interaction',
    description:
      'After `login` answered `second_factor_required`: takes a code of the authenticator app, a recovery code or a passkey, and answers where the browser goes on. The first proof stands for 10 minutes. With `remember` this browser is not asked again for 30 days.',
  },
  signInOptions: {
    tag: 'Interaction',
    description:
      '`PublicKeyCredentialRequestOptionsJSON` without `allowCredentials`: the person chooses among the passkeys that the browser finds. The challenge is good for 5 minutes and one answer, in this browser and interaction. A second factor that is due takes the answer too.',
  },
  signInByPasskey: {
    tag: 'Interaction',
    description:
      'A passkey signs in alone. `passkey_rejected` is one answer for all that is wrong with it; the account is looked at only after it was right.',
  },
  registerFromProvider: {
    tag: 'Interaction',
    description:
      'For whom `details` shows as `provider` with the state `new`. Where `emailProven` is true, the body has the agreements alone; else it may have an identifier with a code or ticket of the purpose `register`, and the account has no contact without it. `identifier_taken` carries a ticket: `login` with it signs in, and adds the way in. `provider_expired`: nobody came from a provider in the last 10 minutes. Where the person got an account elsewhere meanwhile, they are signed in to it, as by `login`.',
  },
  dropProvider: {
    tag: 'Interaction',
    description: 'The other ways are open as before. Nothing is kept of who came from the provider.',
  },
  continue: {
    tag: 'Interaction',
    description:
      'Signs in to the app as who is signed in to the portal. `step_up_required` says that the request wants a fresh proof.',
  },
  register: {
    tag: 'Interaction',
    description:
      'Takes a code or a ticket for the identifier, the agreements as `details` names them, and a password. `identifier_taken` carries a ticket to sign in with.',
  },
  consent: {
    tag: 'Interaction',
    description:
      'Grants the app the `scopes` of the body, or all that `details` lists, and answers where the browser goes on. Only optional ones may be left out.',
  },
  switchAccount: {
    tag: 'Interaction',
    description: 'The request goes on with a sign-in; the session of the other account stays until then.',
  },
  abort: {
    tag: 'Interaction',
    description:
      'Answers where the browser goes on: the redirect URI of the app, with `access_denied`; with `unmet_authentication_requirements` where the app insists on a class of sign-in. Where it only wishes one and a session stands, the request goes on with that session.',
  },
  sendCode: {
    tag: 'Codes',
    description:
      'The answer is the same whether or not the identifier has an account. One live code for each purpose, identifier and browser; `rate_limited` says after how many seconds the next one may be asked for. The purposes `bind` and `step-up` need a session.',
  },
  verifyRecovery: {
    tag: 'Recovery',
    description:
      'Answers a ticket for `recoverPassword`, and the other identifiers of the account, masked, and its passkeys that are no older than the identifier, newest first, so that the person can drop what is not theirs.',
  },
  proveRecoveryFactor: {
    tag: 'Recovery',
    description:
      'Takes the ticket of `verifyRecovery` without spending it; `recoverPassword` then takes no factor. Sent again with the same ticket, it answers the same.',
  },
  recoverPassword: {
    tag: 'Recovery',
    description:
      'Takes a second factor besides, where `verifyRecovery` answered `secondFactor` and `proveRecoveryFactor` has not had it. Drops the identifiers that the body names (one bound before the one proven after 72 hours), and the passkeys and providers that are no older than what was proven, ends all sessions, and makes every other browser forget the account. Links of apps stay unless the body withdraws them.',
  },
  lookAtUndo: {
    tag: 'Recovery',
    description: 'The token stands behind the # of the link, so that no server logs it. Nothing is changed.',
  },
  undo: {
    tag: 'Recovery',
    description:
      'Works once and without a session. The identifier is bound as it was, what replaced it goes, and all sessions end.',
  },
  getCallerDigits: {
    tag: 'Account',
    description:
      'Staff who answer the phone ask for them. They prove that the caller is signed in, and open nothing by themselves; without `digits` nobody asked.',
  },
  startRecoveryWait: {
    tag: 'Recovery',
    description:
      'For an account with a second factor, and a person who has none of it left. Every contact is told, with a link that stops it; so does any session, and whoever passes the second factor. From `dueAt` on a new ticket for the same identifier sets the password, and the second factor is off. Begun again, it goes on as it was.',
  },
  getAccount: { tag: 'Account', description: 'With the changes of its identifiers that wait.' },
  getDeveloperAccess: {
    tag: 'Account',
    description: '`canAsk` is false where nobody works at the desk, or where it was asked already.',
  },
  askForAccess: {
    tag: 'Account',
    description:
      'The person is told of the answer by a message. Asked again, `why` is written anew. `not_found` where nobody works at the desk; `rate_limited` for 30 days after a refusal.',
  },
  updateAccount: { tag: 'Account', description: 'What the body leaves out stays as it is.' },
  setAvatar: {
    tag: 'Account',
    description: 'The picture is decoded and encoded anew, square and at most 512 pixels wide.',
  },
  removeAvatar: { tag: 'Account', description: 'Its address is 404 from then on.' },
  changePassword: {
    tag: 'Account',
    description:
      'Needs a step-up. All other sessions end; links of apps stay unless the body withdraws them. The contacts of the account are told.',
  },
  leave: {
    tag: 'Leaving',
    description:
      'Needs a step-up. All sessions and the tokens bound to them end, also the one that asks; links of apps are suspended (a refresh is answered 503). All contacts are told until when the person can sign in and keep the account; at `endsAt` everything about them is deleted.',
  },
  keep: {
    tag: 'Leaving',
    description:
      'Links of apps work again. It succeeds where the account was not to be deleted. All contacts are told.',
  },
  requestExport: {
    tag: 'Leaving',
    description:
      'Needs a step-up. The file is prepared in the background; a message tells when it is ready. While one is prepared the answer is the same; another one may be asked for after a day (`rate_limited`).',
  },
  getExport: {
    tag: 'Leaving',
    description: '`none` too where the file was downloaded, or its 24 hours are over.',
  },
  downloadExport: {
    tag: 'Leaving',
    description:
      'Needs a step-up. A zip of `account.json`, which has the names of this API, and `account.html`, which people can read. It is deleted as it is answered.',
  },
  listPasskeys: {
    tag: 'Passkeys',
    description:
      'With what the browser needs for `signalAllAcceptedCredentials`. Those of brands with another relying party id are marked.',
  },
  passkeyOptions: {
    tag: 'Passkeys',
    description:
      'Needs a step-up. `PublicKeyCredentialCreationOptionsJSON`; the challenge is good for 5 minutes and one answer, in this browser and session. An account has 50 passkeys at most. With `mediation=conditional` they are for a creation that asks nobody.',
  },
  addPasskey: {
    tag: 'Passkeys',
    description:
      'Takes `RegistrationResponseJSON` with the attestation `none`, or one that the key itself signed. The person must have been verified, but with `mediation: conditional` and options that were asked for with it. All contacts of the account are told.',
  },
  renamePasskey: { tag: 'Passkeys', description: 'Only its owner sees the name.' },
  removePasskey: {
    tag: 'Passkeys',
    description: 'Needs a step-up. Sessions that began with it go on. All contacts of the account are told.',
  },
  listProviders: {
    tag: 'Providers',
    description: 'In the order of the language. One that does not open the account has no `linkedAt`.',
  },
  linkProvider: {
    tag: 'Providers',
    description:
      'Needs a step-up that is as old as the account, as a passkey does. Answers the address at the provider, which the browser goes to; it comes back to the page of the account, with `provider` and `reason` in the query. All contacts of the account are told.',
  },
  unlinkProvider: {
    tag: 'Providers',
    description:
      'Needs a step-up that is as old as the way in. Sessions that began with it go on. All contacts of the account are told, with a link that undoes it. `last_way_in`: nobody could sign in to the account.',
  },
  stepUpOptions: {
    tag: 'Sessions',
    description:
      'With the passkeys of the account at this brand. The answer goes to `stepUp`, within 5 minutes.',
  },
  recoveryOptions: {
    tag: 'Recovery',
    description:
      'Takes the ticket of `verifyRecovery` without spending it. The answer goes to `recoverPassword`, within 5 minutes.',
  },
  setPhone: { tag: 'Identifiers', description: `Takes a code of the purpose \`bind\`. ${waits}` },
  removePhone: { tag: 'Identifiers', description: `The last identifier stays. ${waits}` },
  setEmail: { tag: 'Identifiers', description: `Takes a code of the purpose \`bind\`. ${waits}` },
  removeEmail: { tag: 'Identifiers', description: `The last identifier stays. ${waits}` },
  cancelChange: {
    tag: 'Identifiers',
    description: 'Any session of the account may: nothing is changed then.',
  },
  stepUp: {
    tag: 'Sessions',
    description:
      'Takes the password, a code of the purpose `step-up` to an identifier of the account, a passkey, or a code of its authenticator app. A sign-in just made counts as well.',
  },
  getWays: {
    tag: 'Second factor',
    description: 'Passkeys, password and authenticator app of the account, for the page that lists them.',
  },
  declineOffer: { tag: 'Second factor', description: '`getWays` answers `offerPasskey: false` until then.' },
  startTotp: {
    tag: 'Second factor',
    description:
      'Needs a step-up. The secret is shown this once; it is the second factor from `activateTotp` on, within 15 minutes and in this session. Asked again, there is another secret.',
  },
  activateTotp: {
    tag: 'Second factor',
    description:
      'Answers ten recovery codes, which are shown this once. All contacts are told. Every browser is asked from then on.',
  },
  removeTotp: {
    tag: 'Second factor',
    description:
      'Needs a step-up that proved more than the password or a code: one by the app or a passkey, or a sign-in that passed the second factor (`step_up_required` names `totp` among the fields). All contacts are told.',
  },
  makeRecoveryCodes: {
    tag: 'Second factor',
    description: 'Needs the proof that `removeTotp` needs. The codes before them work no more.',
  },
  listTrustedBrowsers: {
    tag: 'Second factor',
    description: 'Those in which a person asked not to be asked again. Each ends after 30 days.',
  },
  endTrustedBrowser: {
    tag: 'Second factor',
    description: 'Sessions in that browser stay; its next sign-in is asked for the second factor.',
  },
  stopRecoveryWait: {
    tag: 'Second factor',
    description: 'A proof as old as the contact that asked for it is needed. All contacts are told.',
  },
  listSessions: { tag: 'Sessions', description: `The current one before all others. ${paged}` },
  endSession: {
    tag: 'Sessions',
    description: 'What hangs on the session ends with it, and its apps are told by back-channel logout.',
  },
  endSessions: {
    tag: 'Sessions',
    description: 'Also makes other browsers forget the account. Links of apps stay.',
  },
  signOut: {
    tag: 'Sessions',
    description:
      'Clears the session cookie and what the pages kept. With `forget` this browser no longer names the account either.',
  },
  listActivity: {
    tag: 'Activity',
    description: `\`kind\` is a group of kinds. Refused sign-ins of one browser stand once an hour, with a count. ${paged}`,
  },
  listAddedInSession: {
    tag: 'Activity',
    description:
      'Second factors, recovery codes, passkeys and contacts of the last 72 hours. A page asks about them before it disputes.',
  },
  disputeActivity: {
    tag: 'Activity',
    description:
      'The session in which it happened ends, its browser is not trusted any more, and a recovery that waits is stopped. Answers what else happened in that session, so that the person can take it back. With `takeBack` what it added is taken back at once; that takes a proof as old as what was added, and `step_up_required` names among `fields` which. What the page’s own session did cannot be disputed.',
  },
  lookAtSignIn: {
    tag: 'Activity',
    description:
      'The browser and the time of the sign-in, without a session: the token says which. Nothing is changed.',
  },
  disownSignIn: {
    tag: 'Activity',
    description:
      'Works once, without a session, for 7 days. The session of that sign-in ends, and its browser forgets the account and is not trusted any more.',
  },
  listAuthorizations: {
    tag: 'Authorizations',
    description: `An app that was approved twice stands twice. ${paged}`,
  },
  listEndedAuthorizations: {
    tag: 'Authorizations',
    description: `A link is an approval by which an app stays connected. \`link.endedBecause\` is why it ended. ${paged}`,
  },
  changeAuthorization: {
    tag: 'Authorizations',
    description:
      'Takes `label` or `scopes`. The label is for the person alone, to tell two links of one app apart: 1 to 60 characters of plain text, without spaces around them. `scopes` is all that stays approved, by name or key, and never more than before: what `optionalScopes` names can be left out. From then on tokens have less. Opaque tokens that are out have less at once; a JWT has what it had until it ends. The app asks the person again for what was taken away.',
  },
  renewAuthorization: {
    tag: 'Authorizations',
    description:
      'Needs a step-up. The new end is `refresh_family_ttl` of the app from now; its tokens stay, and the app sees the end at its next refresh. `link_has_no_end`: the app has no such term.',
  },
  withdrawAuthorization: {
    tag: 'Authorizations',
    description: 'The consent is forgotten too: the app asks anew. Other approvals of the same app stay.',
  },
  withdrawAuthorizations: { tag: 'Authorizations', description: 'As each of them one by one.' },
  approve: {
    tag: 'Authorizations',
    description:
      'For app-to-app linking: the brand’s own app has asked its person, and passes on what the platform asked it. The client must be registered with `native_approval`; `redirect_uri` is one of the client’s or of the app’s own. Each call makes an approval of its own, and a code that the client redeems within a minute as any other. With a PKCE challenge the method is S256. `own_app_required` is a token of another app, or one without the scope; `approval_not_taken` a client that is unknown, disabled, or approved in a browser alone. 30 approvals of an account in an hour.',
  },
  listClients: {
    tag: 'Clients',
    description: `What the developer made and was invited to; of a machine, what it made. ${paged}`,
  },
  createClient: {
    tag: 'Clients',
    description:
      'The preset gives the defaults and the rules; `name` is short for `client_name`. `client_invalid` carries the code of each wrong field in `fields`. The client belongs to the caller.',
  },
  getClient: { tag: 'Clients', description: 'With the facts of its secrets, without their values.' },
  updateClient: {
    tag: 'Clients',
    description:
      'Fields that are left out stay; null clears a field. Another name, or another host among the redirect URIs, asks people anew at their next sign-in; links go on.',
  },
  deleteClient: {
    tag: 'Clients',
    description:
      '`confirm` is the name of the client. Its tokens, approvals and secrets are gone at once; the history stays with the operator.',
  },
  addClientSecret: {
    tag: 'Clients',
    description: 'A client has five secrets at most. All that have not ended work side by side.',
  },
  removeClientSecret: {
    tag: 'Clients',
    description: 'The last secret that works stays: add another one first.',
  },
  disableClient: {
    tag: 'Clients',
    description: 'The client is unknown to everyone from then on. Nothing that it was given comes back.',
  },
  enableClient: { tag: 'Clients', description: 'People approve the app anew.' },
  checkClientLink: {
    tag: 'Clients',
    description:
      'Plays what the platform of the client documents, and is known to do, over HTTP against this server, and answers each step when all are done, within seconds. It plays over a copy of the registration, which ends with it: no link and no person of the client is touched, and nothing of it counts. `not_of_platform`: neither the preset nor the redirect URIs name a platform that homes are linked to. `link_check_running`: there is one of the client already. 20 an hour for a client.',
  },
  listClientErrors: {
    tag: 'Clients',
    description:
      'With `reference` the one error of that reference, as an error page shows it; with `kind` those of a kind. Kept for 7 days, 200 for a client at most.',
  },
  findClientError: {
    tag: 'Clients',
    description:
      'A reference of another’s client is `not_found`, as an unknown one is. A request of the last seconds may be `not_found` still.',
  },
  getClientHealth: { tag: 'Clients', description: 'Counts lag a few seconds behind.' },
  listClientHistory: {
    tag: 'Clients',
    description:
      'Each change with who made it and when, for 400 days. Values of secrets are in none of them.',
  },
  listClientMembers: { tag: 'Clients', description: 'The owner first.' },
  addClientMember: {
    tag: 'Clients',
    description:
      'The identifier is that of an account which an operator allowed as a developer; any other is `developer_unknown`. A message tells the developer, at most ten times a day.',
  },
  getClientStream: {
    tag: 'Clients',
    description: 'Kept for 30 days. What a receiver fetches by itself is settled when it says so.',
  },
  setClientStream: {
    tag: 'Clients',
    description:
      'Signals are about people who use the app. For `push` and `webhook` the endpoint is an https address that is public. A first webhook has a secret, which `turnOverStreamSecret` shows.',
  },
  removeClientStream: { tag: 'Clients', description: 'Signals of later events have no receiver then.' },
  testClientStream: {
    tag: 'Clients',
    description: 'An event `verification` without a `state`. `getClientStream` says what became of it.',
  },
  replayClientSignal: {
    tag: 'Clients',
    description: 'With the id that it has, so that a receiver knows that it was there before.',
  },
  turnOverStreamSecret: {
    tag: 'Clients',
    description: 'For 24 hours a webhook has the signatures of both the new secret and the one before.',
  },
  removeClientMember: {
    tag: 'Clients',
    description: 'An owner takes off anybody, a member only itself. The last owner stays.',
  },
};

/** The description of each path and query parameter, by name. */
export const parameterTexts: Readonly<Record<string, string>> = {
  uid: 'The interaction, as it stands in the address of the page.',
  id: 'The id, as the list or the details answered it, percent-encoded.',
  after: '`next` of the page before.',
  except: '`current`: all but this browser’s.',
  name: 'The name of the secret.',
  account: 'The id of the account, as the list of members answers it.',
  reference: 'The reference of an error page or of a log line.',
  kind: 'A kind of error; of activity, a group of kinds.',
  mediation: '`conditional`: the browser makes the passkey by itself, and asks nobody.',
  wait: '`true`: where no proof allows it now, let it happen after 72 hours.',
};
