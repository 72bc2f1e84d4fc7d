/** The dialogs of the account settings. */
export const settings = {
  change: 'Change',
  bind: 'Bind',
  unbind: 'Unbind',
  set: 'Set',
  upload: 'Upload',
  remove: 'Remove',
  save: 'Save',
  confirm: 'Confirm',
  undo: 'Undo',
  actionOf: '{{action}}: {{what}}',
  avatar: {
    title: 'Your avatar',
    lead: 'It is shown in your account, and in the apps that you allow to see it.',
    hint: 'JPEG or PNG. Large photos are made smaller for you.',
    choose: 'Choose a picture',
    drop: 'or drop it here',
    opening: 'Opening the picture',
    notPicture: 'This file is not a JPEG or PNG picture. Choose another one.',
    tooLarge: 'This file is too large to open. Choose one of at most 50 MB.',
    preview: 'The picture you chose',
    area: 'Part of the picture that is shown',
    areaHint:
      'Drag the picture to move it. On a keyboard, use the arrow keys to move it, + and − to change its size.',
    zoom: 'Size',
    zoomIn: 'Larger',
    zoomOut: 'Smaller',
    another: 'Choose another',
    saving: 'Saving the picture',
    removed: 'Avatar removed',
  },
  nickname: {
    title: 'Change nickname',
    hint: 'Shown by the apps that may see your profile.',
    blank: 'Nickname cannot be blank',
    invalid: 'This nickname cannot be used. Use at most 40 visible characters.',
  },
  phone: {
    bindTitle: 'Bind a phone number',
    changeTitle: 'Change the phone number',
    bindLead:
      'You can use it to sign in and to receive codes. We send a code now to make sure that it is yours.',
    changeLead: 'We send a code to the new number. {{current}} stays bound until you enter that code.',
    taken:
      'This phone number belongs to another account. Use a different one, or sign in with it and unbind it there.',
    unbindTitle: 'Unbind the phone number?',
    unbindText: 'You will no longer be able to use {{identifier}} to sign in or to receive codes.',
    onlyTitle: 'This is your only way to sign in',
    onlyText:
      'An account needs at least one phone number or e-mail address. Bind an e-mail address first; then you can unbind {{identifier}}.',
    bindOther: 'Bind an e-mail',
  },
  email: {
    bindTitle: 'Bind an e-mail',
    changeTitle: 'Change the e-mail',
    bindLead:
      'You can use it to sign in and to receive codes. We send a code now to make sure that it is yours.',
    changeLead: 'We send a code to the new address. {{current}} stays bound until you enter that code.',
    taken:
      'This e-mail address belongs to another account. Use a different one, or sign in with it and unbind it there.',
    unbindTitle: 'Unbind the e-mail?',
    unbindText: 'You will no longer be able to use {{identifier}} to sign in or to receive codes.',
    onlyTitle: 'This is your only way to sign in',
    onlyText:
      'An account needs at least one phone number or e-mail address. Bind a phone number first; then you can unbind {{identifier}}.',
    bindOther: 'Bind a phone number',
  },
  password: {
    setTitle: 'Set a password',
    changeTitle: 'Change password',
    label: 'New password',
    ends: 'You stay signed in here. All your other devices will be signed out.',
    connected: 'Connected apps: {{apps}}',
    withdraw: 'Also remove access for all apps',
    review: 'See authorizations',
    submit: 'Save password',
  },
  language: {
    title: 'Language',
    lead: 'For these pages, and for the e-mails and messages we send you.',
  },
  stepUp: {
    title: 'Confirm it’s you',
    lead: 'This protects your account. Afterwards you continue where you were.',
    oldest:
      'The password alone is not enough here: it takes a code sent to the phone number or e-mail address that your account has had for longest. If you cannot receive codes there, unbind it first; that takes 72 hours.',
    oldestOnly:
      'The password alone is not enough here: it takes a code. If you cannot receive codes there, first bind another phone number or e-mail address, and then unbind this one; that takes 72 hours.',
    wrongPassword: 'The password is wrong. Check it, or use a verification code.',
    useCode: 'Use a verification code',
    usePassword: 'Use the password',
    contacts: 'Send the code to',
    contact: 'We send the code to {{contact}}.',
    againText:
      'Your account has no phone number, e-mail address, password or passkey to confirm it with. Sign in again: for 10 minutes after that you are not asked.',
    oldestText:
      'This takes a proof that is older than your phone number or e-mail address. Sign in again as you did before you added them: for 10 minutes after that you are not asked.',
    again: 'Sign in again',
  },
  contactProof: {
    title: 'Confirm that it is yours',
    lead: 'To protect your account, confirm with a code sent there that it is yours.',
    unreachable: 'I cannot receive codes there',
  },
  wait: {
    title: 'Wait 72 hours',
    text: 'Without a code sent to {{contact}}, this change takes effect after 72 hours. We notify every phone number and e-mail address of your account now.',
    undo: 'Until then you can cancel it here, and whoever receives the messages to {{contact}} can undo it.',
    action: 'Wait 72 hours',
    begun: 'The change takes effect in 72 hours',
    changes: 'Changes to {{identifier}} {{when}}',
    removed: 'Will be removed {{when}}',
    cancel: 'Cancel',
    cancelled: 'It stays as it is',
  },
};
