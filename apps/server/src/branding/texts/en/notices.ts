export const notices = {
  greeting: 'Hello,',
  notice: {
    wasMe: 'If this was you, there is nothing to do.',
    /** Advice to a reader who did not make the change; each text ends with the link that helps. */
    advice: {
      password: 'If it was not you, set a new password at once: {{link}}',
      contact:
        'If it was not you, set a new password at once. That signs all devices out, stops changes that have not taken effect yet, and lets you remove a phone number or e-mail address that is not yours: {{link}}',
      lost: 'If it was not you, get your account back with another phone number or e-mail address of it: {{link}}',
      undo: 'If it was not you, undo it here within 72 hours. You do not need to be signed in: {{link}}',
      stop: 'If it was not you, stop it here. You do not need to be signed in: {{link}}',
      passkey:
        'If it was not you, set a new password at once, then sign in and remove the passkey under “Ways to sign in”: {{link}}',
      copied:
        'Sign in another way, remove the marked passkey under “Ways to sign in”, and add a new one: {{link}}',
      notMe:
        'If it was not you, end it here within 7 days and set a new password. You do not need to be signed in: {{link}}',
      keep: 'To keep the account, sign in before then. If you did not ask for this, sign in with a code or a new password: {{link}}',
      gone: 'This is the last message about it. You can create a new account at any time: {{link}}',
      export:
        'If you did not ask for it, set a new password there. Download it, once, within 24 hours: {{link}}',
      app: 'Have a look at it there, or leave it: {{link}}',
      renew: 'To keep it, sign in and press “Renew”: {{link}}',
      help: 'If you did not talk to support, there is nothing to do: nobody gets in without the code. If you did, set it there with a code: {{link}}',
      console: 'The pages for developers: {{link}}',
      created:
        'Sign in with a code to this address. If you did not ask for the account, you can delete it there: {{link}}',
    },
    smsAdvice: {
      notMe: 'Not you? End it: {{link}}',
      password: 'Not you? Set a new password: {{link}}',
      lost: 'Not you? Get your account back: {{link}}',
      undo: 'Not you? Undo it: {{link}}',
      stop: 'Not you? Stop it: {{link}}',
      passkey: 'Not you? Set a new password, then remove the passkey: {{link}}',
      copied: 'Remove it and add a new one: {{link}}',
      keep: 'Keep it: {{link}}',
      gone: 'Create a new one: {{link}}',
      export: 'Download it within 24 hours: {{link}}',
      app: 'See it: {{link}}',
      renew: 'Renew it: {{link}}',
      help: 'New password: {{link}}',
      console: '{{link}}',
      created: 'Sign in with a code: {{link}}',
    },
    password_changed: {
      subject: 'Your {{brand}} password was changed',
      sms: '{{brand}}: your password was changed. {{advice}}',
      email:
        'The password of your {{brand}} account was changed on {{time}}. All other devices were signed out.',
    },
    totp_added: {
      subject: 'The second step was turned on for your {{brand}} account',
      sms: '{{brand}}: the second step with an authenticator app was turned on. {{advice}}',
      email:
        'Since {{time}}, signing in to your {{brand}} account also takes a code from an authenticator app. All other devices were signed out.',
    },
    totp_removed: {
      subject: 'The second step was turned off for your {{brand}} account',
      sms: '{{brand}}: the second step with an authenticator app was turned off. {{advice}}',
      email:
        'The second step of your {{brand}} account was turned off on {{time}}: signing in no longer takes a code from an authenticator app.',
    },
    recovery_codes_made: {
      subject: 'New recovery codes were created for your {{brand}} account',
      sms: '{{brand}}: new recovery codes were created, the old ones no longer work. {{advice}}',
      email:
        'New recovery codes were created for your {{brand}} account on {{time}}. The old ones no longer work.',
    },
    recovery_codes_undone: {
      subject: 'The new recovery codes of your {{brand}} account were cancelled',
      sms: '{{brand}}: the new recovery codes of your account were cancelled. {{advice}}',
      email:
        'The new recovery codes of your {{brand}} account were cancelled on {{time}}, and all devices were signed out. Create new ones under “Ways to sign in”.',
    },
    recovery_code_used: {
      subject: 'A recovery code of your {{brand}} account was used',
      sms: '{{brand}}: a recovery code of your account was used. {{advice}}',
      email:
        'A recovery code of your {{brand}} account was used on {{time}} in place of the authenticator app. It will not work again.',
    },
    recovery_wait_started: {
      subject: 'Someone asked to get into your {{brand}} account without the second step',
      sms: '{{brand}}: someone with {{contact}} asked to get into your account without the second step. {{advice}}',
      email:
        'Someone who can read the messages to {{contact}} asked on {{time}} to get into your {{brand}} account without the second step. From {{due}} on they can choose a new password, unless this is stopped before.',
    },
    recovery_wait_stopped: {
      subject: 'Access without the second step to your {{brand}} account was stopped',
      sms: '{{brand}}: the request to get into your account without the second step was stopped. {{advice}}',
      email:
        'The request to get into your {{brand}} account without the second step was stopped on {{time}}. Nobody can get in through it any more.',
    },
    passkey_added: {
      subject: 'A passkey was added to your {{brand}} account',
      sms: '{{brand}}: a passkey was added to your account. {{advice}}',
      email: 'A passkey was added to your {{brand}} account on {{time}}. It signs in without a password.',
    },
    passkey_removed: {
      subject: 'A passkey was removed from your {{brand}} account',
      sms: '{{brand}}: a passkey was removed from your account. {{advice}}',
      email: 'A passkey was removed from your {{brand}} account on {{time}}.',
    },
    passkey_counter: {
      subject: 'A passkey of your {{brand}} account may have been copied',
      sms: '{{brand}}: a passkey of your account may have been copied. It was refused. {{advice}}',
      email:
        'A passkey of your {{brand}} account was refused on {{time}}, because it may have been copied: it counts its uses, and the count went back.',
    },
    provider_linked: {
      subject: '{{provider}} was linked to your {{brand}} account',
      sms: '{{brand}}: {{provider}} now signs in to your account. {{advice}}',
      email: 'Since {{time}}, {{provider}} signs in to your {{brand}} account.',
    },
    provider_unlinked: {
      subject: '{{provider}} was unlinked from your {{brand}} account',
      sms: '{{brand}}: {{provider}} no longer signs in to your account. {{advice}}',
      email: 'Since {{time}}, {{provider}} no longer signs in to your {{brand}} account.',
    },
    provider_restored: {
      subject: '{{provider}} is back in your {{brand}} account',
      sms: '{{brand}}: the removal of {{provider}} was undone. Sign in another way once and add it again. {{advice}}',
      email:
        'On {{time}} the removal of {{provider}} from your {{brand}} account was undone, and all devices were signed out. {{provider}} signs you in again once you have signed in another way and added it again.',
    },
    provider_closed: {
      subject: '{{provider}} no longer signs in to your {{brand}} account',
      sms: '{{brand}}: {{provider}} reported a problem with your account there and no longer signs you in. {{advice}}',
      email:
        'On {{time}} {{provider}} told us that your account there may not be safe or no longer exists. It does not sign in to your {{brand}} account until you sign in another way and link it again.',
    },
    provider_mail_stopped: {
      subject: 'Mail through {{provider}} no longer reaches you',
      sms: '{{brand}}: {{provider}} no longer forwards our mail to you. Add another e-mail address to your account. {{advice}}',
      email:
        'On {{time}} {{provider}} told us that it no longer forwards mail to you. Messages from {{brand}} do not reach you there. Add another e-mail address to your account, or turn forwarding on again.',
    },
    new_browser: {
      subject: 'New sign-in to your {{brand}} account',
      sms: '{{brand}}: new sign-in to your account, {{device}}. {{advice}}',
      email:
        'Someone signed in to your {{brand}} account on {{time}} with a browser that was not used for it before: {{device}}.',
    },
    device: {
      both: '{{browser}} on {{os}}',
      unknown: 'an unknown browser',
      zone: 'The clock of that device is set to {{zone}}.',
    },
    deletion_requested: {
      subject: 'Your {{brand}} account will be deleted',
      sms: '{{brand}}: your account will be deleted on {{time}}. {{advice}}',
      email:
        'Your {{brand}} account will be deleted on {{time}}, with everything that belongs to it. All devices were signed out, and connected apps have lost access.',
    },
    deletion_cancelled: {
      subject: 'Your {{brand}} account stays',
      sms: '{{brand}}: your account stays, the deletion was cancelled. {{advice}}',
      email:
        'On {{time}} someone signed in and chose to keep your {{brand}} account. It will not be deleted, and connected apps work again.',
    },
    account_deleted: {
      subject: 'Your {{brand}} account is deleted',
      sms: '{{brand}}: your account is deleted. {{advice}}',
      email:
        'Your {{brand}} account was deleted on {{time}}, with everything that belonged to it. Connected apps no longer have access.',
    },
    recovery_help: {
      subject: 'How to get back into your {{brand}} account',
      sms: '{{brand}}: support sent you the way to a new password. {{advice}}',
      email: 'Support sent you the way to a new password for your {{brand}} account on {{time}}.',
    },
    developer_allowed: {
      subject: 'You can register apps with {{brand}}',
      sms: '{{brand}}: you can register apps now. {{advice}}',
      email: 'You asked {{brand}} to be allowed to register apps. Since {{time}} you can.',
    },
    developer_refused: {
      subject: 'Your request to register apps with {{brand}}',
      sms: '{{brand}}: your request to register apps was not granted. {{advice}}',
      email:
        'You asked {{brand}} to be allowed to register apps. On {{time}} the request was not granted. You can ask again after 30 days.',
    },
    contact_checked: {
      subject: 'A test message for your {{brand}} account',
      sms: '{{brand}}: support checks that messages reach you. {{advice}}',
      email:
        'Support checked on {{time}} that messages of your {{brand}} account reach this contact. They do.',
    },
    export_ready: {
      subject: 'Your {{brand}} data is ready',
      sms: '{{brand}}: the copy of your data is ready. {{advice}}',
      email: 'The copy of your {{brand}} data was ready on {{time}}. It is on the page of your account.',
    },
    link_ends: {
      subject: '{{app}} loses access to your {{brand}} account soon',
      sms: '{{brand}}: {{app}} loses access on {{time}}. {{advice}}',
      email:
        '{{app}} can use your {{brand}} account until {{time}}. After that it stops working, however often you use it.',
    },
    account_created: {
      subject: 'Your {{brand}} account is ready',
      sms: '{{brand}}: an account was created for you by {{app}}. {{advice}}',
      email:
        'On {{time}} a {{brand}} account was created for this e-mail address, because it was asked for at {{app}}. {{app}} can use it now. The account has no password yet.',
    },
    app_shared: {
      subject: 'An app at {{brand}} was shared with you',
      sms: '{{brand}}: a developer added you to an app. {{advice}}',
      email: 'On {{time}} a developer added you to an app at {{brand}}: you can see and change it now.',
    },
    phone_bound: {
      subject: 'A phone number was added to your {{brand}} account',
      sms: '{{brand}}: the phone number {{contact}} was added to your account. {{advice}}',
      email: 'The phone number {{contact}} was added to your {{brand}} account on {{time}}.',
    },
    phone_changed: {
      subject: 'The phone number of your {{brand}} account was changed',
      sms: '{{brand}}: the phone number of your account was changed to {{contact}}. {{advice}}',
      email: 'The phone number of your {{brand}} account was changed to {{contact}} on {{time}}.',
    },
    phone_unbound: {
      subject: 'A phone number was removed from your {{brand}} account',
      sms: '{{brand}}: the phone number {{contact}} was removed from your account. {{advice}}',
      email: 'The phone number {{contact}} was removed from your {{brand}} account on {{time}}.',
    },
    phone_change_waits: {
      subject: 'The phone number of your {{brand}} account is about to change',
      sms: '{{brand}}: the phone number of your account changes to {{contact}} in 72 hours. {{advice}}',
      email:
        'Someone asked on {{time}} to change the phone number of your {{brand}} account to {{contact}}. It will happen after 72 hours.',
    },
    phone_unbind_waits: {
      subject: 'A phone number is about to be removed from your {{brand}} account',
      sms: '{{brand}}: the phone number {{contact}} leaves your account in 72 hours. {{advice}}',
      email:
        'Someone asked on {{time}} to remove the phone number {{contact}} from your {{brand}} account. It will happen after 72 hours.',
    },
    phone_kept: {
      subject: 'The phone number of your {{brand}} account stays as it was',
      sms: '{{brand}}: a change was undone, the phone number {{contact}} stays. {{advice}}',
      email:
        'A change to your {{brand}} account was undone on {{time}}: the phone number {{contact}} belongs to it, and all devices were signed out.',
    },
    email_bound: {
      subject: 'An e-mail address was added to your {{brand}} account',
      sms: '{{brand}}: the e-mail address {{contact}} was added to your account. {{advice}}',
      email: 'The e-mail address {{contact}} was added to your {{brand}} account on {{time}}.',
    },
    email_changed: {
      subject: 'The e-mail address of your {{brand}} account was changed',
      sms: '{{brand}}: the e-mail address of your account was changed to {{contact}}. {{advice}}',
      email: 'The e-mail address of your {{brand}} account was changed to {{contact}} on {{time}}.',
    },
    email_unbound: {
      subject: 'An e-mail address was removed from your {{brand}} account',
      sms: '{{brand}}: the e-mail address {{contact}} was removed from your account. {{advice}}',
      email: 'The e-mail address {{contact}} was removed from your {{brand}} account on {{time}}.',
    },
    email_change_waits: {
      subject: 'The e-mail address of your {{brand}} account is about to change',
      sms: '{{brand}}: the e-mail address of your account changes to {{contact}} in 72 hours. {{advice}}',
      email:
        'Someone asked on {{time}} to change the e-mail address of your {{brand}} account to {{contact}}. It will happen after 72 hours.',
    },
    email_unbind_waits: {
      subject: 'An e-mail address is about to be removed from your {{brand}} account',
      sms: '{{brand}}: the e-mail address {{contact}} leaves your account in 72 hours. {{advice}}',
      email:
        'Someone asked on {{time}} to remove the e-mail address {{contact}} from your {{brand}} account. It will happen after 72 hours.',
    },
    email_kept: {
      subject: 'The e-mail address of your {{brand}} account stays as it was',
      sms: '{{brand}}: a change was undone, the e-mail address {{contact}} stays. {{advice}}',
      email:
        'A change to your {{brand}} account was undone on {{time}}: the e-mail address {{contact}} belongs to it, and all devices were signed out.',
    },
  },
};
