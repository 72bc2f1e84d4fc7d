/**
 * Every event by its name, with its meaning. The list is closed: log lines, metrics and alert rules name no other
 * event. An event is emitted after the commit of what it reports.
 * @internal exported for tests
 */
export const eventNames = {
  'sign_in.succeeded': 'A person proved to own an account and was signed in',
  'sign_in.refused': 'A sign-in was refused; `reason` is the code of the error',
  'second_factor.asked': 'A right password or code was given, and the second factor is due',
  'second_factor.succeeded': 'A person passed the second factor and was signed in',
  'second_factor.refused': 'A second factor was refused; `reason` is the code of the error',
  'second_factor.added': 'A person switched the second factor on',
  'second_factor.removed':
    'The second factor of an account was switched off: by its person, by a recovery that had waited, or by an operator (`actor`)',
  'recovery_codes.made': 'A person made new recovery codes',
  'recovery_code.used': 'A recovery code passed the second factor',
  'trusted_browser.added': 'A browser is not asked for the second factor for 30 days',
  'trusted_browser.ended': 'A browser is asked for the second factor again',
  'recovery.wait_started': 'A recovery without the second factor began to wait for 72 hours',
  'recovery.wait_stopped':
    'A recovery that waited was stopped; not where its contact goes or the account is disabled',
  'account.registered': 'An account was made',
  'account.register_refused': 'A registration was refused; `reason` is the code of the error',
  'account.shown': 'An operator looked at an account',
  'account.disabled':
    'An operator disabled an account; `detail` says whether its links are suspended or ended',
  'account.enabled': 'An operator enabled an account again',
  'code.sent': 'A verification code was made, and its message promised',
  'code.send_refused': 'No verification code was made; `reason` is the code of the error',
  'code.verified': 'A verification code was right',
  'code.refused': 'A verification code was wrong, over or exhausted; `reason` is the code of the error',
  'step_up.succeeded': 'A signed-in person proved anew to be there',
  'step_up.refused': 'A step-up was refused; `reason` is the code of the error',
  'recovery.started': 'A person proved to own an identifier, to set a new password',
  'recovery.refused': 'A recovery was refused; `reason` is the code of the error',
  'password.changed': 'A signed-in person set a new password',
  'password.recovered': 'A person who could not sign in set a new password',
  'passkey.added': 'A person added a passkey to their account',
  'passkey.removed': 'A person removed a passkey of their account',
  'passkey.refused':
    'A passkey was refused, to sign in, to step up, to recover or to be added; `reason` says why, which the person is not told',
  'provider.refused':
    'Nobody was signed in or linked by an identity provider; `reason` is the code of the error, `detail` what was wrong',
  'provider.arrived': 'A person came from an identity provider and has no way in by it yet',
  'provider.linked': 'An account at an identity provider opens an account from now on',
  'provider.unlinked': 'An account at an identity provider opens an account no longer',
  'provider.told':
    'An identity provider told something of a person there; `reason` is what it did to their way in, `detail` its name',
  'provider.not_heard': 'What came in the name of an identity provider was not believed; `detail` says why',
  'provider.revoked': 'An identity provider took back what it issued for a person who left or unlinked it',
  'provider.not_revoked':
    'An identity provider did not take back what it issued; it is asked again unless this was the last try',
  'identifier.bound': 'An identifier was bound to an account',
  'identifier.removed': 'An identifier was unbound from its account, or replaced',
  'identifier.change_waits': 'A change of an identifier waits, and a link that undoes it was sent',
  'identifier.change_undone': 'A change of an identifier was undone by the link',
  'identifier.change_cancelled': 'A change of an identifier that waited was given up by a signed-in person',
  'activity.disputed': 'A person said that something of the account was somebody else',
  'new_browser.told': 'A notice of a sign-in in a browser never seen was promised',
  'session.ended': 'A session was ended by its person',
  'sessions.ended': 'Several sessions of an account were ended at once',
  'consent.given':
    "A person approved a client; `detail` is the id of the brand's own app, where that asked the person",
  'authorization.renewed': 'A person let a link with an absolute end last for another term',
  'authorization.narrowed': 'A person took optional scopes away from an approval',
  'authorization.withdrawn': 'A person withdrew what a client may do',
  'link_end.told': 'A person was told that a link is about to reach its absolute end',
  'token.refused': 'A token request was refused; `reason` is the error of RFC 6749 section 5.2, `detail` why',
  'token.code_reused':
    'An authorization code was presented again; `reason` says what became of its tokens: `duplicate`, `ended`, `late`',
  'token.theft':
    'A refresh token was presented after the use of its successor, or after the overlap with it, and its family of tokens was ended',
  'token.repeated': 'A refresh token was presented again, and the same successor was answered',
  'token.duplicate':
    'A refresh token was presented again within a minute of its successor’s first use: it was refused, and the link lives',
  'token.revoked': 'A client revoked a token, and the approval ended with it (RFC 7009 section 2.1)',
  'authorization.refused': 'An authorization request was answered with an error page or an error',
  'interaction.refused':
    'A sign-in or approval was opened that cannot go on; `reason` says whether it is over or another browser’s',
  'logout.refused': 'A request to sign out was answered with an error page',
  'introspection.refused': 'A request to introspect a token was refused; `reason` is the error, `detail` why',
  'revocation.refused': 'A request to revoke a token was refused; `reason` is the error, `detail` why',
  'logout.told': 'A client was told that a session ended (back-channel logout)',
  'logout.not_told': 'A client could not be told that a session ended; `final` where it is not tried again',
  'signal.told': 'A receiver took a signal: by push, by webhook, or by its acknowledgement of a poll',
  'signal.not_told':
    'A receiver did not take a signal; `final` where it is not tried again, which the receiver refused (`refused`)',
  'signal.parked':
    'A stream was paused because its receiver took nothing for 7 days; what waits is kept for 30 days',
  'stream.status_changed':
    'A receiver or an operator (`actor`) enabled, paused or disabled a stream of signals; `reason` is the new status',
  'client.created': 'A client was registered',
  'client.applied': 'The registration of a client was changed',
  'client.deleted': 'A client was deleted, with all that it was given',
  'client.secret_added': 'A client was given one more secret',
  'client.own_opened':
    'A developer, no operator, gave one of the brand’s own clients a secret or a member; `reason` says which: `secret_added`, `member_added`; logged at warn',
  'client.secret_removed': 'A secret of a client was removed',
  'client.member_added': 'An account became a developer of a client',
  'client.member_removed': 'An account is no developer of a client any more',
  'brand.words_changed': 'An operator put other words of a brand in force',
  'developer.allowed': 'An operator allowed an account to register clients',
  'developer.revoked': 'An operator took that back',
  'developer.asked': 'A person asked the desk to be allowed to register clients',
  'developer.refused': 'An operator refused what such a person asked',
  'client.disabled': 'A client was disabled',
  'client.enabled': 'A client was enabled',
  'account.deletion_requested': 'The account is to be deleted after the grace: sessions ended, links wait',
  'account.deletion_cancelled': 'A person kept the account that was to be deleted',
  'account.deleted': 'Everything of the account was deleted',
  'export.requested': 'A person asked for a file with everything about them; or an operator wrote one',
  'export.downloaded': 'The file with everything about a person was downloaded, and deleted',
  'staff.allowed': 'An operator gave an account a role at the desk; `reason` is the role',
  'staff.revoked': 'An operator took the role of an account at the desk away',
  'desk.opened': 'A member of staff opened the desk by a fresh proof',
  'desk.acted': 'A member of staff did something at an account; `reason` is the act',
  'desk.looks_exhausted':
    'A member of staff looked at more than 500 accounts or words within an hour, and was refused; logged at warn',
  'caller.checked': 'A caller answered the check of a member of staff; `reason` says `right` or `wrong`',
  'registration_token.created': 'An initial access token was made; `detail` is its id',
  'registration_token.revoked': 'An initial access token was revoked; `detail` is its id',
  'registration.refused':
    'A request to register a client, or to change such a registration, was refused; `reason` is the code of the error',
  'client_document.refused':
    'The metadata document of a client was not taken; `detail` says why, and a known client stays as it was',
  'resource.applied': 'The registration of a protected API was made or changed',
  'configuration.applied': 'A process started with this configuration',
  'database.restored': 'An operator restored a backup; `detail` is the time of the backup',
  'keys.rotated': 'The signing keys were rotated',
  'keys.revoked': 'A signing key was revoked',
  'secrets.sealed_anew':
    'What an older SECRET_KEY had sealed was sealed under the newest; `count` says how much',
  'rate_limit.exceeded': 'A limit was spent; `limit` names which',
  'picture.refused': 'An uploaded picture was refused; `reason` is the code of the error',
} as const;

export type EventName = keyof typeof eventNames;
