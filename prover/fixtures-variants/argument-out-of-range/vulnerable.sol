// SPDX-License-Identifier: MIT
pragma solidity ^0.6.12;

contract Treasury {
    uint256 public level;

    function setLevel(uint8) public {
        assembly {
            sstore(level_slot, calldataload(4))
        }
    }
}

contract Votes {
    mapping(address => uint256) public weight;

    function vote(uint256 proposal, uint16) public {
        uint256 given;
        assembly {
            given := calldataload(36)
        }
        require(proposal > 0, "no proposal");
        weight[msg.sender] = given;
    }
}

contract Flags {
    uint256 public flag;

    function set(bool) public {
        assembly {
            sstore(flag_slot, calldataload(0x04))
        }
    }
}

contract Registry {
    bytes32 public last;

    function register(address) public {
        bytes32 word;
        assembly {
            word := calldataload(4)
        }
        last = word;
    }
}

contract Prices {
    uint256 public price = 5;

    function quote(uint64) public {
        uint256 word;
        assembly {
            calldatacopy(0, 4, 32)
            word := mload(0)
        }
        price = word;
    }
}
