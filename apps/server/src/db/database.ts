import type { AccountIdentifierTable, AccountTable } from '../account/account.table.ts';
import type { AgreementAcceptanceTable } from '../agreement/agreement-acceptance.table.ts';
import type { BackchannelLogoutTable } from '../backchannel-logout/backchannel-logout.table.ts';
import type { ClientTable } from '../client/client.table.ts';
import type { ClientLogoTable } from '../client/client-logo.table.ts';
import type { PasswordTable } from '../credential/password.table.ts';
import type { MessageTable } from '../delivery/message.table.ts';
import type { DeviceAccountTable } from '../device/device-account.table.ts';
import type { AuthorizationGrantTable, RememberedConsentTable } from '../grant/grant.table.ts';
import type { IdentifierChangeTable } from '../identifier-change/identifier-change.table.ts';
import type { LeaseTable } from '../lease/lease.table.ts';
import type { InteractionTable } from '../oidc-model/interaction.table.ts';
import type {
  AccessTokenTable,
  AuthorizationCodeTable,
  OidcModelTable,
  RefreshTokenTable,
} from '../oidc-model/oidc-model.table.ts';
import type { PairwiseSaltTable } from '../pairwise-salt/pairwise-salt.table.ts';
import type { RateLimitTable } from '../rate-limit/rate-limit.table.ts';
import type { ResourceServerTable } from '../resource-server/resource-server.table.ts';
import type { KeptKeyTable } from '../secret-key/kept-key.table.ts';
import type { ServingProcessTable } from '../secret-key/serving-process.table.ts';
import type { SessionTable } from '../session/session.table.ts';
import type { AvatarTable } from '../settings/avatar.table.ts';
import type { SigningKeyTable } from '../signing-key/signing-key.table.ts';
import type { StepUpTable } from '../step-up/step-up.table.ts';
import type { SpentTicketTable } from '../verification/spent-ticket.table.ts';
import type { TicketTable } from '../verification/ticket.table.ts';
import type { VerificationCodeTable } from '../verification/verification-code.table.ts';

/** Every table by its name in SQL; columns are snake_case on both sides. */
export interface Database {
  access_token: AccessTokenTable;
  account: AccountTable;
  account_identifier: AccountIdentifierTable;
  agreement_acceptance: AgreementAcceptanceTable;
  authorization_code: AuthorizationCodeTable;
  authorization_grant: AuthorizationGrantTable;
  avatar: AvatarTable;
  backchannel_logout: BackchannelLogoutTable;
  client: ClientTable;
  client_logo: ClientLogoTable;
  device_account: DeviceAccountTable;
  identifier_change: IdentifierChangeTable;
  interaction: InteractionTable;
  kept_key: KeptKeyTable;
  lease: LeaseTable;
  message: MessageTable;
  oidc_model: OidcModelTable;
  pairwise_salt: PairwiseSaltTable;
  password: PasswordTable;
  rate_limit: RateLimitTable;
  refresh_token: RefreshTokenTable;
  remembered_consent: RememberedConsentTable;
  resource_server: ResourceServerTable;
  serving_process: ServingProcessTable;
  session: SessionTable;
  signing_key: SigningKeyTable;
  spent_ticket: SpentTicketTable;
  step_up: StepUpTable;
  ticket: TicketTable;
  verification_code: VerificationCodeTable;
}
