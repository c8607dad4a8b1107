/* begin dune-impact-downstream
   put the definitions for config.h specific to
   your project here. Everything above will be
   overwritten
*/
/* begin private */
#define PACKAGE "@DUNE_MOD_NAME@"
#define PACKAGE_VERSION "@DUNE_MOD_VERSION@"
/* end private */
/* end dune-impact-downstream */
