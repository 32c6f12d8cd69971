package index

import "syscall"

// watchable reports whether the file system of a folder tells of all changes in
// it: those of the network do not tell of what other machines do, nor those of a
// virtual machine of what its host does.
func watchable(dir string) bool {
	var st syscall.Statfs_t
	if err := syscall.Statfs(dir, &st); err != nil {
		return false
	}
	// Numbers of linux/magic.h, and of the file systems' own sources.
	switch uint32(st.Type) {
	case 0x6969, // NFS
		0x517b, 0xff534d42, 0xfe534d42, // SMB, CIFS, SMB2
		0x65735546,                         // FUSE, virtiofs
		0x01021997,                         // 9p
		0x00c36400, 0x5346414f, 0x73757245, // Ceph, AFS, Coda
		0x786f4256, 0xbacbacbc, // VirtualBox, VMware
		0x9fa0, 0x62656572: // proc, sys
		return false
	}
	return true
}
