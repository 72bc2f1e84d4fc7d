import type { Migration } from 'kysely/migration';
import * as accounts from './0001-accounts.ts';
import * as protocol from './0002-protocol.ts';
import * as delivery from './0003-delivery.ts';
import * as recovery from './0004-recovery.ts';
import * as stepUp from './0005-step-up.ts';
import * as pictures from './0006-pictures.ts';
import * as clientHints from './0007-client-hints.ts';
import * as sweep from './0008-sweep.ts';
import * as changeNotices from './0009-change-notices.ts';
import * as backchannelLogout from './0010-backchannel-logout.ts';
import * as disabledClients from './0011-disabled-clients.ts';
import * as deviceCodes from './0012-device-codes.ts';
import * as resourceServers from './0013-resource-servers.ts';
import * as pairwiseSalt from './0014-pairwise-salt.ts';
import * as accountRecovery from './0015-account-recovery.ts';
import * as boundedStorage from './0017-bounded-storage.ts';
import * as spentTickets from './0018-spent-tickets.ts';
import * as keptKeys from './0019-kept-keys.ts';
import * as servingProcesses from './0020-serving-processes.ts';
import * as boundSince from './0021-bound-since.ts';
import * as clientRegistry from './0022-client-registry.ts';
import * as clientHealth from './0023-client-health.ts';
import * as registrationTokens from './0024-registration-tokens.ts';
import * as clientDocuments from './0025-client-documents.ts';
import * as disabledAccounts from './0026-disabled-accounts.ts';
import * as namedLocks from './0027-named-locks.ts';
import * as passkeys from './0028-passkeys.ts';
import * as secondFactor from './0029-second-factor.ts';
import * as activity from './0031-activity.ts';
import * as leaving from './0032-leaving.ts';
import * as browserOfActivity from './0033-browser-of-activity.ts';
import * as roomOnPages from './0034-room-on-pages.ts';
import * as additions from './0035-additions.ts';
import * as approvedClients from './0036-approved-clients.ts';
import * as additionsOfSessions from './0037-additions-of-sessions.ts';
import * as openRegistration from './0038-open-registration.ts';
import * as agreementEditions from './0039-agreement-editions.ts';
import * as factorOfATicket from './0040-factor-of-a-ticket.ts';
import * as signals from './0041-signals.ts';
import * as linksThatTell from './0042-links-that-tell.ts';
import * as googleLinks from './0044-google-links.ts';
import * as movedTokens from './0045-moved-tokens.ts';
import * as googleSubjects from './0047-google-subjects.ts';
import * as desk from './0050-desk.ts';
import * as deskService from './0051-desk-service.ts';
import * as identityProviders from './0053-identity-providers.ts';
import * as whatProvidersTell from './0054-what-providers-tell.ts';
import * as brandWords from './0055-brand-words.ts';
import * as addressByACode from './0056-address-by-a-code.ts';
import * as batchesOfStreams from './0057-batches-of-streams.ts';
import * as verifiedIdentifiers from './0058-verified-identifiers.ts';
import * as closedPasswords from './0059-closed-passwords.ts';
import * as targetsOfPrivateSchemes from './0060-targets-of-private-schemes.ts';

/** Every migration by name, in the order of the names; a released one is never edited. */
export const migrations: Record<string, Migration> = {
  '0001-accounts': accounts,
  '0002-protocol': protocol,
  '0003-delivery': delivery,
  '0004-recovery': recovery,
  '0005-step-up': stepUp,
  '0006-pictures': pictures,
  '0007-client-hints': clientHints,
  '0008-sweep': sweep,
  '0009-change-notices': changeNotices,
  '0010-backchannel-logout': backchannelLogout,
  '0011-disabled-clients': disabledClients,
  '0012-device-codes': deviceCodes,
  '0013-resource-servers': resourceServers,
  '0014-pairwise-salt': pairwiseSalt,
  '0015-account-recovery': accountRecovery,
  '0017-bounded-storage': boundedStorage,
  '0018-spent-tickets': spentTickets,
  '0019-kept-keys': keptKeys,
  '0020-serving-processes': servingProcesses,
  '0021-bound-since': boundSince,
  '0022-client-registry': clientRegistry,
  '0023-client-health': clientHealth,
  '0024-registration-tokens': registrationTokens,
  '0025-client-documents': clientDocuments,
  '0026-disabled-accounts': disabledAccounts,
  '0027-named-locks': namedLocks,
  '0028-passkeys': passkeys,
  '0029-second-factor': secondFactor,
  '0031-activity': activity,
  '0032-leaving': leaving,
  '0033-browser-of-activity': browserOfActivity,
  '0034-room-on-pages': roomOnPages,
  '0035-additions': additions,
  '0036-approved-clients': approvedClients,
  '0037-additions-of-sessions': additionsOfSessions,
  '0038-open-registration': openRegistration,
  '0039-agreement-editions': agreementEditions,
  '0040-factor-of-a-ticket': factorOfATicket,
  '0041-signals': signals,
  '0042-links-that-tell': linksThatTell,
  '0044-google-links': googleLinks,
  '0045-moved-tokens': movedTokens,
  '0047-google-subjects': googleSubjects,
  '0050-desk': desk,
  '0051-desk-service': deskService,
  '0053-identity-providers': identityProviders,
  '0054-what-providers-tell': whatProvidersTell,
  '0055-brand-words': brandWords,
  '0056-address-by-a-code': addressByACode,
  '0057-batches-of-streams': batchesOfStreams,
  '0058-verified-identifiers': verifiedIdentifiers,
  '0059-closed-passwords': closedPasswords,
  '0060-targets-of-private-schemes': targetsOfPrivateSchemes,
};
