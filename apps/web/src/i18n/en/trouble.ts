/** Refused requests of an app, and what a developer does about each kind. */
export const trouble = {
  text: 'Refused requests of the last 7 days. Secrets, codes and tokens are masked.',
  empty: 'No errors',
  emptyText: 'No request of this app was refused in the last 7 days.',
  reference: 'Reference of an error page or a log line',
  find: 'Find',
  notFound:
    'No error of this app has this reference. A new error may take a few seconds to arrive here. References are kept for 7 days.',
  all: 'Show all errors',
  more: 'Show more',
  times_one: '{{count}} time',
  times_other: '{{count}} times',
  last: 'Last {{when}}',
  reason: 'Reason',
  endpoint: 'Endpoint',
  sent: 'What was sent',
  expected: 'What would be right',
  difference: 'The marked part differs.',
  change: 'What to change',
  addAddress: 'Add this address',
  addWarning:
    'Add it only if it is an address of your own app: anybody can send a request in the name of an app, and codes would go there.',
  otherAddress:
    'The address is registered, but this request sent another one than the authorization request before it.',
  addressAdded: 'The address was added',
  toSecrets: 'Go to the secrets',
  toAddresses: 'Go to the return addresses',
  toPermissions: 'Go to the permissions',
  toSnippets: 'See how your stack does it',
  toFacts: 'See how the app is registered',
  kinds: {
    redirect_uri_mismatch: {
      title: 'The return address is not registered',
      text: 'Addresses are compared exactly: scheme, host, port, path and query. Register the address that the app sends, or send one that is registered.',
    },
    wrong_secret: {
      title: 'The client secret is wrong',
      text: 'The app sent a secret that is not one of its own. Check the variable on the server that runs the app: a copied secret often gains a space or loses its end.',
    },
    expired_secret: {
      title: 'The client secret has expired',
      text: 'Add a new secret, give it to the app, then remove the old one.',
    },
    empty_secret: {
      title: 'The secret is empty: is CLIENT_SECRET set?',
      text: 'The app sent its id without a secret. Set the variable on the server that runs the app, and start the app again.',
    },
    wrong_auth_method: {
      title: 'The app authenticates in another way than registered',
      text: 'Compare the way in which the library sends the secret with the registration.',
    },
    missing_pkce: {
      title: 'The PKCE challenge is missing',
      text: 'Send code_challenge, and code_challenge_method with the value S256. Most libraries have an option for it.',
    },
    wrong_verifier: {
      title: 'The PKCE verifier does not match',
      text: 'Keep one verifier for each sign-in, in the session of the browser that began it. Two sign-ins in two tabs need two.',
    },
    code_expired: {
      title: 'The code came too late',
      text: 'A code is valid for 60 seconds. Exchange it as soon as the browser brings it.',
    },
    code_used: {
      title: 'The code was already used',
      text: 'A code works for one request. A reload of the callback page, or two workers, send it twice.',
    },
    clock: {
      title: 'The clocks differ',
      text: 'A signed statement of the app is dated in the future or has expired. Synchronise the clock of the server that runs the app.',
    },
    scope_not_registered: {
      title: 'The app asks for a permission that it does not have',
      text: 'Add the scope to the permissions, or ask for less.',
    },
    resource_unknown: {
      title: 'The API is not known here',
      text: 'Compare the value of resource with the identifier of the API, character by character.',
    },
    grant_type_not_registered: {
      title: 'The app is not registered for this way to get tokens',
      text: 'The grant types follow from the kind of app. Another way needs an app of another kind.',
    },
    response_type_not_registered: {
      title: 'The app is not registered for this kind of answer',
      text: 'Send response_type=code.',
    },
    refresh_token_unknown: {
      title: 'The refresh token is no longer valid',
      text: 'It has expired, the person withdrew the approval, or it belongs to another app. Ask the person to sign in again.',
    },
    refresh_token_theft: {
      title: 'A replaced refresh token was used again',
      text: 'An old refresh token was used after its successor or long after it was replaced, so the whole approval was ended. Keep the newest token in one place, and store it before you use it.',
    },
    dpop: {
      title: 'The DPoP proof was refused',
      text: 'The proof is missing, made with another key, or for another address.',
    },
    request_object: {
      title: 'The signed request was refused',
      text: 'Check the key, the algorithm and the times of the request object.',
    },
    access_denied: {
      title: 'The person declined',
      text: 'Nothing is wrong with the app. Say why it needs what it asks for, and offer to try again.',
    },
    interaction_required: {
      title: 'A sign-in without a page was not possible',
      text: 'With the prompt none, the person must be signed in and must have approved the app. Otherwise send the person through a usual sign-in.',
    },
    other: {
      title: 'Another error',
      text: 'The reason is in the server’s own words.',
    },
  },
};
