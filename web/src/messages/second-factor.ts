/** Texts of `second-factor/`, by the file that shows them. Texts with values are functions. */

export const factorDialogs = {
  logOutEverywhereElse: 'Log out everywhere else',
  addAuthenticatorApp: 'Add an authenticator app',
  yourAuthenticatorAppShows:
    'Your authenticator app shows a new code every 30 seconds, which you enter when you log in.',
  scanAppEnterSecret: 'Scan this with the app or enter the secret.',
  secretAsQrCode: 'The secret as a QR code',
  addPasskey: 'Add a passkey',
  logYourDeviceInstead: 'Log in with your device instead of a password.',
  yourRecoveryCodes: 'Your recovery codes',
  storeThemSomewhereSafe: 'Store them somewhere safe. Each code works once; they are not shown again.',
  iSavedMyRecovery: 'I saved my recovery codes',
}

export const passkey = {
  passkeyAlreadyRegistered: 'This passkey is already registered.',
  passkeyWasNotAccepted: 'The passkey was not accepted. Try again or use another method.',
}

export const proveForm = {
  useYourPasskeyLog: 'Use your passkey to log in.',
  codeFromYourAuthenticator: 'Code from your authenticator app',
  eachWorksOnce: 'Each works once.',
  usePasskey: 'Use the passkey',
  useCode: 'Use a code',
  useRecoveryCode: 'Use a recovery code',
  usePasskey2: 'Use a passkey',
}

export const secondFactors = {
  addApp: 'Add an app',
  addPasskey: 'Add a passkey',
  loadingYourSecondFactors: 'Loading your second factors',
  protectYourAccountAuthenticator: 'Protect your account with an authenticator app or a passkey.',
  yourTwoFactorMethods: 'Your two-factor methods',
  recoveryCode: '1 recovery code is',
  recoveryCodes: (left: number) => `${left} recovery codes are`,
  newRecoveryCodes: 'New recovery codes',
  newRecoveryCodes2: 'New recovery codes',
  createNewCodes: 'Create new codes',
  yourOldCodesNo: 'Your old codes no longer work.',
  canNoLongerUsed: 'It can no longer be used to log in. Without a second factor, the password alone is enough.',
}
