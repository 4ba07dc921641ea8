/** Texts of files at the top, by the file that shows them. Texts with values are functions. */

export const router = {
  pageNotFound: 'Page not found',
  checkUrlUseMenu: 'Check the URL or use the menu above.',
  offlinePart: 'This page has not been loaded yet. Go back, or try again once you are connected.',
  partPageCouldNot: 'A part of this page could not be loaded. Check your connection, then try again.',
  offline: 'You are offline',
  somethingWentWrong: 'Something went wrong',
}
