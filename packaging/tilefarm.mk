# SPDX-License-Identifier: Apache-2.0
# For make: "include PREFIX/share/tilefarm/tilefarm.mk", and kernel.b.elf is made of kernel.c for core B; .nc, .t0, .t1
# and .t2 are the other cores. TILEFARM_ARCH is the family, TILEFARM_CFLAGS has options for `tilefarm cc`. A program is
# made again when a header that it includes has changed: kernel.b.elf.d has their names.
tilefarm_folder := $(dir $(abspath $(lastword $(MAKEFILE_LIST))))
TILEFARM ?= $(tilefarm_folder)../../bin/tilefarm
TILEFARM_ARCH ?= blackhole
TILEFARM_CFLAGS ?= -Wall -Wextra

define tilefarm_rule
%.$(1).elf: %.c
	@rm -f $$@.d
	DEPENDENCIES_OUTPUT='$$@.d $$@' $$(TILEFARM) cc --core $(1) --arch $$(TILEFARM_ARCH) $$(TILEFARM_CFLAGS) $$< -o $$@
	@tr -s ' \\' '\n' <$$@.d | sed -n 's/\.h$$$$/.h:/p' >>$$@.d.headers; cat $$@.d.headers >>$$@.d; rm -f $$@.d.headers
endef
$(foreach core,b nc t0 t1 t2,$(eval $(call tilefarm_rule,$(core))))

# Not the default goal.
tilefarm_goal := $(.DEFAULT_GOAL)
-include $(wildcard *.elf.d)
.DEFAULT_GOAL := $(tilefarm_goal)
