# Fails if PAGE is not what `PROGRAM help markdown` prints.
execute_process(COMMAND ${PROGRAM} help markdown OUTPUT_VARIABLE printed RESULT_VARIABLE status)
file(READ ${PAGE} page)
if(NOT status EQUAL 0 OR NOT printed STREQUAL page)
  message(FATAL_ERROR "${PAGE} is not current; build the target scenario-page")
endif()
